"""The clients of socket.sh, which says what they are for: STAT, MOUNT, PID, PORT, SECONDS_EACH."""
import contextlib, json, multiprocessing, os, random, re, resource, socket, subprocess, sys, time

STAT, MOUNT, PID, PORT = os.environ["STAT"], os.environ["MOUNT"], os.environ["PID"], int(os.environ["PORT"])
SECONDS = int(os.environ["SECONDS_EACH"])
NOBODY, PLACES = 65534, 1000
SEED = int(os.environ.get("FAIRFS_SEED", random.randrange(1 << 31)))
PATIENCE_S = 3  # of somebody who has every right to an answer, on a busy machine
failures = 0


def path():
    """As systemd-escape --path names it, see cli/socket_path.h."""
    kept = re.sub(r"[^A-Za-z0-9_:./]", lambda letter: f"\\x{ord(letter.group()):02x}", MOUNT.strip("/"))
    return "/run/fairfs/" + kept.replace("/", "-") + ".sock"


def check(what, good, *details):
    global failures
    print(("ok    " if good else "WRONG ") + what, *(() if good else details), flush=True)
    failures += not good


def stat(*words):
    """fairfs-stat as root; how long it took and what it wrote."""
    began = time.monotonic()
    done = subprocess.run([STAT, MOUNT, *words], capture_output=True, timeout=60)
    return time.monotonic() - began, done


def connected(wait_s=10):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path())  # waits while the backlog is full
    client.settimeout(wait_s)
    return client


def asked(line, wait_s=10):
    """What the daemon answers to one line."""
    with connected(wait_s) as client:
        client.sendall(line + b"\n")
        return heard(client)


def heard(client):
    answer = b""
    while not answer.endswith(b"\n"):
        part = client.recv(1 << 20)
        if not part:
            break
        answer += part
    return answer


COMMANDS = [b'{"get":"snapshot"}', b'{"get":"second"}', b'{"get":"overrides"}', b'{"get":"reload"}',
            b'{"explain":1}', b'{"set":{"command":"fio-one","weight":900}}',
            b'{"set":{"pid":%d,"weight":1,"class":"idle"}}' % os.getpid(),
            b'{"unset":{"command":"fio-one"}}', b'{"unset":"all"}', b'{"reload":true}', b'{"hold":true}',
            b'{"hold":false}', b'{"trace":true}', b'{"trace":"more"}', b'{"trace":false}']
LOOKS = 5  # of these, those that change nothing
SCRAPE = b"GET /metrics HTTP/1.1\r\n\r\n"
NOTHING_SET = b"nothing is set: the weights file alone counts\n"


def mutated(chance):
    """A command with something wrong with it, or nothing that resembles one."""
    kind = chance.randrange(6)
    if kind == 0:
        return chance.randbytes(chance.randrange(1, 6000))
    if kind == 1:
        depth = chance.randrange(1, 2000)
        return b'{"set":' + chance.choice([b"[", b'{"a":']) * depth
    line = bytearray(chance.choice(COMMANDS))
    if kind == 2:  # other values
        line = re.sub(rb'(\d+|true|false|"[a-z-]+")\}', lambda _: chance.choice(
            [b"1e999}", b"-1}", b"18446744073709551616}", b'"\\ud800"}', b"null}", b"[]}", b'"' + b"x" * 4000 + b'"}']),
            bytes(line))
    for _ in range(chance.randrange(1, 8) if kind > 2 else 0):
        at = chance.randrange(len(line))
        line[at:at + chance.randrange(3)] = chance.randbytes(chance.randrange(3))
    return bytes(line)


def fuzz(seed, until, user):
    if user:
        os.setgroups([])
        os.setuid(user)
    chance = random.Random(seed)
    while time.monotonic() < until:
        with contextlib.suppress(OSError), connected() as client:
            for _ in range(chance.randrange(1, 6)):
                client.sendall(mutated(chance) + chance.choice([b"\n", b"\n", b"\n\n\n", b"", b"\0\n"]))
                if chance.random() < 0.7:
                    client.settimeout(0.05)
                    client.recv(chance.choice([1, 4096, 1 << 20]))
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", PORT), 1) as client:
            client.sendall(chance.choice([SCRAPE, chance.randbytes(100), b"GET " + b"x" * 9000]))
            client.settimeout(0.05)
            client.recv(chance.choice([1, 1 << 20]))


def trickle(until):
    """Clients that come and do nothing, ask half a question, or ask and don't read: on both sockets, again and again.
    """
    os.setgroups([])
    os.setuid(NOBODY)
    while time.monotonic() < until:
        clients = []
        for i in range(40):
            with contextlib.suppress(OSError):
                client = connected(1) if i % 2 else socket.create_connection(("127.0.0.1", PORT), 1)
                clients.append(client)
                client.setblocking(False)
                client.send([b'{"get":', b'{"get":"snapshot"}\n' * 60, b"GET ", b""][i // 2 % 4] or b"x")
        for _ in range(20):
            for client in clients:
                with contextlib.suppress(OSError):
                    client.send(b'"')  # a byte at a time
            time.sleep(0.1)
        for client in clients:
            client.close()


def usage():
    """Descriptors and resident bytes of the daemon."""
    resident = int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{PID}/status").read()).group(1)) * 1024
    return len(os.listdir(f"/proc/{PID}/fd")), resident


def scrape():
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", PORT), 10) as client:
        client.sendall(SCRAPE)
        text = b"".join(iter(lambda: client.recv(1 << 16), b""))
    return time.monotonic() - began, text.startswith(b"HTTP/1.0 200") and text.endswith(b"# EOF\n")


def device_times():
    """Cumulative device time of both programs, and the moment."""
    reading = json.loads(asked(b'{"get":"snapshot"}'))["readings"][0]
    used = {flow["command"]: 0 for flow in reading["flows"]}
    for flow in reading["flows"]:
        used[flow["command"]] += flow["device_time"]
    return reading["taken"], used["fio-one"], used["fio-two"]


def watch(what, until):
    """Somebody who has every right looks meanwhile: answers come in time, shares and throughput are what they were."""
    taken, one, two = device_times()
    slowest, slowest_scrape, wrong = 0, 0, []
    while time.monotonic() < until:
        took, done = stat("--once")
        slowest = max(slowest, took)
        if done.returncode:
            wrong.append(done.stderr)
        took, good = scrape()
        slowest_scrape = max(slowest_scrape, took)
        if not good:
            wrong.append("metrics")
        time.sleep(0.2)
    later, one_later, two_later = device_times()
    check(f"{what}: fairfs-stat is answered, at the latest after {slowest:.2f} s", slowest < PATIENCE_S and not wrong,
          wrong[:3])
    check(f"{what}: a scraper is answered, at the latest after {slowest_scrape:.2f} s", slowest_scrape < PATIENCE_S)
    ratio, use = (two_later - two) / (one_later - one), (two_later - two + one_later - one) / (later - taken)
    check(f"{what}: shares are 1 : {ratio:.3f} (wanted 3), the disk is used {use:.3f}",
          abs(ratio - 3) < 0.3 and use > 0.9)  # measured on a machine that is busy with all this


def while_running(what, seconds, *jobs):
    processes = [multiprocessing.Process(target=job, args=arguments, daemon=True) for job, *arguments in jobs]
    for process in processes:
        process.start()
    watch(what, time.monotonic() + seconds)
    for process in processes:
        process.join(30)


def stranger(queue):
    """Tries every command and says what came of it."""
    os.setgroups([])
    os.setuid(NOBODY)
    queue.put([asked(command) for command in COMMANDS])


def thousand(user, queue, done):
    """So many connections at once, and what those were told that were turned away."""
    if user:
        os.setgroups([])
        os.setuid(user)
    clients, told = [], []
    for _ in range(PLACES):
        with contextlib.suppress(OSError):
            clients.append(connected(5))
    time.sleep(0.5)  # for those that are still in the backlog
    for client in clients:
        client.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            told.append(client.recv(4096))
    queue.put((len(clients), told))
    done.wait(60)


def try_every_command():
    queue = multiprocessing.Queue()
    before = stat("--overrides")[1].stdout
    process = multiprocessing.Process(target=stranger, args=(queue,))
    process.start()
    answers = queue.get(timeout=60)
    process.join()
    check("a stranger may look", not any(answer.startswith(b'{"error') for answer in answers[:LOOKS]))
    refusal = b'{"error":"only root and the user that mounted it may change or trace anything"}\n'
    check("and not change or trace anything", all(answer == refusal for answer in answers[LOOKS:]), answers[LOOKS:])
    check("nothing was changed", stat("--overrides")[1].stdout == before == NOTHING_SET, before)


def come_by_the_thousand(user):
    queue, done = multiprocessing.Queue(), multiprocessing.Event()
    process = multiprocessing.Process(target=thousand, args=(user, queue, done))
    process.start()
    came, told = queue.get(timeout=120)
    who = "strangers" if user else "root"
    full = b'{"error":"too many others are asking already"}\n'
    check(f"{came} connections of {who} at once: {len(told)} are told that it is full",
          came == PLACES and told and set(told) == {full}, told[:3])
    took, answer = stat("--once")
    if user:
        check(f"root is answered beside them, after {took:.2f} s", answer.returncode == 0 and took < PATIENCE_S, answer)
    else:
        check("one more of root's is told so, too", b"too many others are asking already" in answer.stderr, answer)
    done.set()
    process.join()
    deadline = time.monotonic() + 5
    while stat("--once")[1].returncode and time.monotonic() < deadline:
        time.sleep(0.1)
    check("and afterwards", stat("--once")[1].returncode == 0)


def main():
    print("FAIRFS_SEED", SEED)
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    deadline = time.monotonic() + 30
    while b"2 flows backlogged" not in stat("--once")[1].stdout and time.monotonic() < deadline:
        time.sleep(0.2)
    files, resident = usage()
    try_every_command()
    come_by_the_thousand(NOBODY)
    come_by_the_thousand(0)
    until = time.monotonic() + SECONDS
    while_running("half-open and slow clients", SECONDS, (trickle, until), (trickle, until))
    until = time.monotonic() + SECONDS
    while_running("a fuzzing stranger", SECONDS, *[(fuzz, SEED + i, until, NOBODY) for i in range(2)])
    check("a stranger's fuzzing changed nothing", stat("--overrides")[1].stdout == NOTHING_SET)
    fuzz(SEED + 9, time.monotonic() + SECONDS / 2, 0)  # root's may change and hold what it likes: it must only live on
    stat("--unset", "all")
    time.sleep(0.5)
    files_later, resident_later = usage()
    check(f"{files} descriptors before, {files_later} after", files_later <= files + 2)
    check(f"{resident >> 20} MiB before, {resident_later >> 20} after", resident_later < resident + (32 << 20))
    watch("afterwards", time.monotonic() + 2)
    print(failures, "failures")
    sys.exit(failures != 0)


main()
