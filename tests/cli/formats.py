"""The parsers of formats.sh, which says what must be there: STAT, MOUNT, SCHEMA, WORK (with the socket `metrics`)."""
import csv, ctypes, io, json, os, socket, subprocess, time, unittest

import jsonschema
from prometheus_client.openmetrics.parser import text_string_to_metric_families

STAT, MOUNT, WORK = os.environ["STAT"], os.environ["MOUNT"], os.environ["WORK"]
SCHEMA = json.load(open(os.environ["SCHEMA"]))
# What a program may call itself: separators of all three formats and a byte that is no UTF-8.
ODD_NAME, PR_SET_NAME = b'a,"b\\\n{\xff', 15
# As it arrives: the control socket speaks JSON, which has no such bytes.
SHOWN_NAME = 'a,"b\\\n{\ufffd'


def stat(*words):
    return subprocess.run([STAT, *words], check=True, capture_output=True, timeout=60).stdout


def flushing_child():
    """A process of that name that writes and flushes: its figures are in all three formats."""
    pid = os.fork()
    if pid == 0:
        ctypes.CDLL(None).prctl(PR_SET_NAME, ODD_NAME)
        file = os.open(MOUNT + "/written", os.O_CREAT | os.O_WRONLY, 0o600)
        while True:
            os.pwrite(file, b"x" * 4096, 0)
            os.fsync(file)
    return pid


def no_key_twice(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), names
    return dict(pairs)


def samples_of(text):
    """{(name, labels): value}, as Prometheus reads it."""
    return {(sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text) for sample in family.samples}


def label(key, name):
    return dict(key[1]).get(name, "")


class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.child = flushing_child()
        deadline = time.monotonic() + 20
        while b"in force" not in (last := stat(MOUNT, "--once")) or b"a,\"b" not in last or b"not in force" in last:
            assert time.monotonic() < deadline, last

    @classmethod
    def tearDownClass(cls):
        os.kill(cls.child, 9)
        os.waitpid(cls.child, 0)

    def test_schema_forbids_what_it_does_not_name(self):
        jsonschema.Draft7Validator.check_schema(SCHEMA)
        objects = [SCHEMA, *SCHEMA["definitions"].values()]
        for kind in objects:
            self.assertIs(kind["additionalProperties"], False)
            self.assertEqual(kind["required"], list(kind["properties"]))
        example = json.loads(stat(MOUNT, "--once", "--json"))
        for spoiled in ({**example, "more": 1}, {**example, "flows": [{**example["flows"][0], "more": 1}]},
                        {name: value for name, value in example.items() if name != "slowness"}):
            with self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(spoiled, SCHEMA)

    def test_json(self):
        lines = stat(MOUNT, "--json", "--interval", "0.3", "--count", "4").splitlines()
        lines += stat(MOUNT, "--once", "--json").splitlines()
        self.assertEqual(len(lines), 5)
        for line in lines:
            shown = json.loads(line, object_pairs_hook=no_key_twice)
            jsonschema.validate(shown, SCHEMA)
            self.assertEqual(shown["mountpoint"], MOUNT)
            self.assertTrue(shown["weights_in_force"])
            fios = [flow for flow in shown["flows"] if flow["command"] == "fio" and flow["reads_per_s"] > 0]
            self.assertEqual(len(fios), 2)
            # A 4 KiB read is charged 4 KiB; what was cut off by the interval is at most 32 requests on each side.
            for flow in fios:
                self.assertAlmostEqual(flow["read_bytes_per_s"] / flow["reads_per_s"], 4096, delta=1)
                self.assertEqual(flow["cgroup"], shown["groups"][flow["group"]]["cgroup"])
            self.assertAlmostEqual(sum(flow["share_got"] for flow in shown["flows"]), 1, delta=1e-6)
            self.assertTrue(any(flow["command"] == SHOWN_NAME for flow in shown["flows"]))

    def test_trace(self):
        kind = {**SCHEMA["definitions"]["request"], "definitions": SCHEMA["definitions"]}
        lines = stat(MOUNT, "--trace", "--json", "--count", "200").splitlines()
        lines += stat(MOUNT, "--trace", "op=sync", "--json", "--count", "3").splitlines()
        self.assertEqual(len(lines), 203)
        for line in lines:
            jsonschema.validate(json.loads(line, object_pairs_hook=no_key_twice), kind)

    def test_csv_has_the_fields_of_the_schema(self):
        text = stat(MOUNT, "--csv", "--interval", "0.3", "--count", "3").decode()
        rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
        self.assertEqual(rows[0], ["time", "mountpoint", "interval_s", "device_use",
                                   *SCHEMA["definitions"]["flow"]["properties"]])
        shown = [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]
        self.assertEqual(sum(row["command"] == SHOWN_NAME for row in shown), 3)
        self.assertEqual({row["mountpoint"] for row in shown}, {MOUNT})
        for row in shown:
            for name, kind in SCHEMA["definitions"]["flow"]["properties"].items():
                if kind.get("type") in ("number", "integer"):
                    self.assertGreaterEqual(float(row[name]), -1)
                elif kind.get("type") == "boolean":
                    self.assertIn(row[name], ("true", "false"))

    def scrape(self):
        with socket.socket(socket.AF_UNIX) as daemon:
            daemon.settimeout(10)
            daemon.connect(WORK + "/metrics")
            daemon.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = b"".join(iter(lambda: daemon.recv(65536), b""))
        head, body = answer.split(b"\r\n\r\n", 1)
        self.assertTrue(head.startswith(b"HTTP/1.0 200 OK"), head)
        self.assertIn(b"Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8", head)
        self.assertIn(b"Content-Length: %d" % len(body), head)
        return samples_of(body.decode())

    def test_openmetrics(self):
        first, second = samples_of(stat(MOUNT, "--openmetrics").decode()), self.scrape()
        self.assertEqual({key[0] for key in first}, {key[0] for key in second})
        for name in ("fairfs_up", "fairfs_depth", "fairfs_slowness_ratio", "fairfs_decisions_total"):
            self.assertEqual(sum(key[0] == name for key in first), 1, name)
        odd = {label(key, "flow") for key in first if label(key, "flow").startswith("a,")}
        self.assertEqual(odd, {'a,"b\\\\x0a{\ufffd[%d]' % self.child})
        counters = [key for key in first if key[0].endswith(("_total", "_bucket"))]
        self.assertGreater(len(counters), 60)
        for key in counters:
            self.assertGreaterEqual(second[key], first[key], key)
        time.sleep(1.1)  # readings are a second apart
        third = self.scrape()
        fios = [key for key in first if key[0] == "fairfs_flow_reads_total" and label(key, "flow").startswith("fio[")]
        self.assertTrue(any(third[key] > first[key] for key in fios))
        for key in fios:  # bytes are 4096 times as many
            self.assertEqual(third[("fairfs_flow_read_bytes_total", key[1])], 4096 * third[key])

    def test_a_recording_shows_what_was_seen(self):
        kept = WORK + "/recording"
        seen = stat(MOUNT, "--json", "--interval", "0.3", "--count", "3", "--record", kept)
        self.assertEqual(stat("--replay", kept, "--json"), seen)
        self.assertEqual(stat("--replay", kept, "--json", "--once"), seen.splitlines(keepends=True)[-1])
        self.assertEqual(stat("--replay", kept, "--count", "2", "--json"), b"".join(seen.splitlines(True)[:2]))
        rows = list(csv.reader(io.StringIO(stat("--replay", kept, "--csv").decode(), newline="")))
        self.assertEqual(len(rows) - 1, sum(len(json.loads(line)["flows"]) for line in seen.splitlines()))
        self.assertIn(MOUNT.encode(), stat("--replay", kept, "--once"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
