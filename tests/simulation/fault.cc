// SPDX-License-Identifier: Apache-2.0
#include "simulation/fault.h"

#include <cstdio>

#include "base/check.h"

namespace proxima::simulation {
namespace {

struct Row {
  Happening happening;
  std::string_view text;
  bool fault;
};
constexpr Row kRows[] = {
    {Happening::LoseRequest, "a request is lost", true},
    {Happening::LoseAnswer, "a request is carried out and its answer lost", true},
    {Happening::CutAnswer, "a request is carried out and its answer cut off", true},
    {Happening::RefuseConnection, "a connection is refused", true},
    {Happening::DelayRequest, "a request is delayed", true},
    {Happening::DelayAnswer, "an answer is delayed", true},
    {Happening::DoubleRequest, "a request arrives twice", true},
    {Happening::AnswerTooMany, "a request is answered with 429", true},
    {Happening::AnswerBroken, "a request is answered with 500", true},
    {Happening::AnswerUnavailable, "a request is answered with 503", true},
    {Happening::DoneButTimeout, "a request is carried out and answered with 504", true},
    {Happening::AnswerExpired, "a list or a watch is answered with 410", true},
    {Happening::AnswerGarbage, "a request is answered with garbage", true},
    {Happening::StaleList, "a list is old", true},
    {Happening::CutWatch, "a watch is cut off", true},
    {Happening::EndWatch, "a watch is ended", true},
    {Happening::StallWatch, "a watch falls silent", true},
    {Happening::ExpireWatch, "a watch says 410", true},
    {Happening::GarbageEvent, "a watch says garbage", true},
    {Happening::DoubleEvents, "a watch repeats its last events", true},
    {Happening::ReorderEvents, "events of a watch change places", true},
    {Happening::Partition, "nothing gets through between a process and the API server", true},
    {Happening::CutOff, "a process is cut off, and its connections are refused", true},
    {Happening::RefuseStandby, "a standby is refused one kind, and the leader crashes", true},
    {Happening::Pause, "a process is paused", true},
    {Happening::PauseLeader, "the leader is paused", true},
    {Happening::Crash, "a process crashes", true},
    {Happening::CrashLeader, "the leader crashes", true},
    {Happening::Restart, "a process is restarted", true},
    {Happening::JumpWallClock, "a wall clock jumps", true},
    {Happening::ForgetHistory, "the server forgets its history", true},
    {Happening::KernelRefuses, "a kernel refuses transactions", true},
    {Happening::KernelRefusesReading, "a kernel refuses to be read", true},
    {Happening::KernelTableLost, "a stranger removes the table from a kernel", true},
    {Happening::FlipPod, "a Pod turns ready or unready", false},
    {Happening::AddPod, "a Pod is added", false},
    {Happening::EndPod, "a Pod begins to end", false},
    {Happening::RemovePod, "a Pod is removed", false},
    {Happening::ChangeService, "a Service is changed", false},
    {Happening::AddService, "a Service is added", false},
    {Happening::RemoveService, "a Service is removed", false},
    {Happening::AddNode, "a node joins", false},
    {Happening::RemoveNode, "a node vanishes", true},
    {Happening::RemoveZone, "a zone vanishes", true},
    {Happening::TamperSlice, "a stranger changes a slice", true},
    {Happening::StealSlice, "a stranger removes a slice", true},
    {Happening::ForeignSlice, "a stranger adds a slice", true},
    {Happening::HostileObject, "a hostile object is written", true},
    {Happening::HostileValue, "an annotation gets a hostile value", true},
    {Happening::NewConnection, "clients open connections", false},
};
static_assert(std::size(kRows) == kHappenings);

const Row& row_of(Happening happening) {
  const Row& row = kRows[static_cast<std::size_t>(happening)];
  PROXIMA_CHECK(row.happening == happening);
  return row;
}

}  // namespace

std::string_view to_text(Happening happening) { return row_of(happening).text; }

bool is_fault(Happening happening) { return row_of(happening).fault; }

std::uint64_t Hits::faults() const {
  std::uint64_t count = 0;
  for (const Row& row : kRows)
    if (row.fault) count += of(row.happening);
  return count;
}

std::string to_text(const Injection& injection) {
  char begin[48];
  std::snprintf(begin, sizeof begin, "%4zu  %9.3f s  ", injection.number,
                static_cast<double>(injection.at.count()) / 1e9);
  return begin + std::string(to_text(injection.what));
}

}  // namespace proxima::simulation
