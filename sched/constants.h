// What the heuristics take for granted: one table, each with unit, reason and source.
#pragma once

#include <cstdint>

#include "sched/types.h"

namespace fairfs::sched {

// Slices (slices.h). Where streams must not be interleaved, a turn lasts many times what turning costs.

/// Device time of a turn over the cost of turning: at 16 the turning takes 1/17 of the time, 6 %.
inline constexpr int kSwitchesPerSlice = 16;
/// The same for who is due as much as the others or more: turning takes 4 %, so that of two streams each keeps 1 / 2.2
/// of its rate also where turning costs one and a half times what the probe has seen in its short stretch of the disk.
/// Light flows' turns stay short: their shares show sooner.
inline constexpr int kSwitchesPerEvenSlice = 24;
/// The same for the shortest turn that is given out of turn, to what is overdue or of a low class: a fifth is lost.
inline constexpr int kSwitchesPerSliceMin = 4;
/// The same for a light flow beside a heavy one. Shorter, since turns come whole: at a tenth of the disk one of 48 ms
/// more or less is 5 % of what the flow gets in ten seconds, one of 36 ms is 4 %; of its turns a quarter is lost.
inline constexpr int kSwitchesPerLightSlice = 3;
/// Among n flows of equal weight a newcomer waits up to this long, or n times the next constant's turn if that is more.
/// Less than `max_wait`, so that a round ends before deadlines begin to reorder it.
inline constexpr Duration kNewcomerWait = std::chrono::milliseconds{800};
/// But the turns of equal flows, however many, are never shorter than this many times the cost of turning: a ninth is
/// lost. A raid-0 whose heads all have to come back needs a quarter of a second.
inline constexpr int kSwitchesPerEqualSlice = 8;
/// A profile that says "do not interleave" without a cost of turning: a mean seek and half a rotation of a 7200/min
/// disk.
inline constexpr Duration kSwitchCostUnknown = std::chrono::milliseconds{12};

// Anticipation (anticipation.h, think_time.h).

/// Longest wait for a flow's next request while the disk is held: CFQ's and BFQ's slice_idle. About what turning away
/// and back would cost a disk.
inline constexpr Duration kAnticipationMax = std::chrono::milliseconds{8};
/// Shortest: a timer and a wake-up of the program take part of a millisecond on a busy machine (BFQ's minimum, too).
inline constexpr Duration kAnticipationMin = std::chrono::milliseconds{2};
/// Waits this many times the mean think time; a program twice as slow as usual is still waited for.
inline constexpr int kThinkTimesAwaited = 4;
/// A request that is longer in the disk than this is not waited for any more: the disk hangs or recovers from an error.
inline constexpr Duration kServiceMax = std::chrono::milliseconds{250};

/// Writes whose random ones cost at most this part of a random read are taken by a write-back cache (interleaving.h):
/// one that passes them on at the disk's own pace has no more gain than sorting, which is under 3.
inline constexpr std::uint64_t kCachedWriteGain = 4;
/// A cache that has taken writes puts them away for about so long after the last one.
inline constexpr Duration kCacheEmpties = std::chrono::milliseconds{200};
/// Reads served at once from where a disk has more heads than one: sorting gives one head 1.1 (probe/README.md), a
/// second head makes it 2.
inline constexpr double kHeadsApart = 1.6;

static_assert(kAnticipationMin < kAnticipationMax && kAnticipationMax < kServiceMax);

// A returning flow (claim.h).

/// A flow is still the one that left when it comes back this soon: a processor's scheduling delay, not a pause.
inline constexpr Duration kReturnMax = std::chrono::milliseconds{2};
/// Among turns, where its place is worth a turn: as long as a busy machine lets a program wait for a processor (some
/// time slices of 3 to 10 ms), and about a short turn of somebody else's on a hard disk (4 switches, 48 ms).
inline constexpr Duration kReturnAmongTurns = std::chrono::milliseconds{50};

// Classes (class_floors.h).

/// Device time in a thousand that best-effort gets beside real-time, and idle beside both, if they want it: nobody can
/// stop the mount. A turn among slices costs two switches more, so the higher class loses up to twice this. Idle: half
/// a turn of a hard disk (2 switches, 24 ms) each second, when a request of its is overdue and the head goes there.
inline constexpr std::int64_t kFloorBestEffort = 25, kFloorIdle = 28;
/// And a turn after this long without any, however little device time the others used (mq-deadline's
/// prio_aging_expire).
inline constexpr Duration kClassAge = std::chrono::seconds{10};

/// And a flow that has had nothing for as long, and so many times as long as its share takes to earn what it asks for
/// (patience.cc). Below that tags alone decide: they may be off by some requests and turns.
inline constexpr std::int64_t kPatience = 4;
/// A charge above this counts as this (1 s).
inline constexpr std::uint64_t kCostPatientMax = 1'000'000'000;

// Floors and ceilings (limited_node.h).

/// A ceiling forgives a request that comes this much late, so that timers and a short pause cost no rate; more makes
/// bursts.
inline constexpr Duration kCeilingSlack = std::chrono::milliseconds{50};
/// Where flows take turns one comes late by a round.
inline constexpr Duration kCeilingSlackAmongTurns = std::chrono::seconds{1};
/// A floor that could not be kept for longer is not caught up with.
inline constexpr Duration kFloorSlack = std::chrono::seconds{1};
/// Floors take at most nine tenths while others wait: whoever promises more than the disk has stops nobody.
inline constexpr int kFloorsOverOthers = 9;

/// A node with a latency that has had no request for so long stands in nobody's way (latency_guard.h).
inline constexpr Duration kLatencyIdle = std::chrono::seconds{1};

// Metadata (metadata_debt.h, metadata.cc).

/// A look-up that takes less was answered from memory: flash takes about this for one read, a processor a tenth of it.
inline constexpr Duration kMetadataBlockedLeast = std::chrono::microseconds{100};
/// Longest wait of one look-up for what its flow owes. Longer pays sooner; but whoever makes a file in the directory
/// meanwhile waits as well, and 50 ms is what people don't notice.
inline constexpr Duration kMetadataDelayMax = std::chrono::milliseconds{50};
/// More is not owed: at a tenth of the disk a second of it is 20 s at half of the share.
inline constexpr Duration kMetadataDebtMax = std::chrono::seconds{1};

// Loans (loans.h).

/// The most that is lent: the start of a large program (LibreOffice reads some 20 MB in a thousand pieces; with what
/// the kernel reads ahead it was 57 to 77 MB), as device time. On a hard disk that makes 7 s, as BFQ's raising
/// of new programs' weights.
inline constexpr std::uint64_t kLoanReads = 1024, kLoanReadBytes = 4096;
inline constexpr std::uint64_t kLoanBytes = 96 << 20;
/// Who reads so much of one file in order is a stream, which has no need to be served at once: the turns that a loan
/// makes so short cost it a third of its rate. It is more than starts read of their libraries at a stretch.
inline constexpr std::uint64_t kLoanStream = 8 << 20;
/// Of what the others are given so much comes back: programs that start all the time have no more than a fifth.
inline constexpr std::int64_t kLoanPart = 4;
/// A program that has been away for so long starts again.
inline constexpr Duration kLoanAfter = std::chrono::seconds{3};
/// A start is over when nothing was read for so long.
inline constexpr Duration kLoanPause = std::chrono::seconds{1};
/// Programs that start wait for each answer; the kernel reads ahead one request, and another where they were before.
inline constexpr std::uint32_t kLoanRequests = 3;
/// Programs that start at once, or within kCrowdAge of each other; more are a crowd of their own.
inline constexpr std::size_t kLoansAtOnce = 4;
/// The others must have kept the disk busy for so long, with no longer pause: else all have just come together.
inline constexpr Duration kCrowdAge = std::chrono::seconds{2}, kCrowdPause = std::chrono::milliseconds{100};
/// Device time in a thousand that the others get meanwhile for what the loans take, where there are turns: without, ten
/// streams would stand still for the seconds that a start takes there.
inline constexpr std::int64_t kFloorBesideLoan = 500;

// Injection (injection.h).

/// A flow that the disk is held for may take this many hundredths of its baseline beside what is injected (BFQ's).
inline constexpr int kInjectionSlowPercent = 150;
/// Requests of a verdict: half of what guests have, as the disk turns no more often than a hundred times a second.
inline constexpr std::uint32_t kInjectionSamples = 8;

// Guests (guests.h).

/// Slower than alone by at most this: with the floor of a lower class a reader keeps 0.95 of what it has alone.
inline constexpr int kGuestsSlowPercent = 3;
/// Requests of a verdict: chance moves the mean of sixteen that differ by a tenth by less than that.
inline constexpr std::uint32_t kGuestsSamples = 16;
/// After a verdict of "too slow" no more are let in for so long, twice as long each time: where guests only cost, a
/// trial every other second costs a hundredth.
inline constexpr Duration kGuestsPauseMin = std::chrono::milliseconds{50}, kGuestsPauseMax = std::chrono::seconds{2};

}  // namespace fairfs::sched
