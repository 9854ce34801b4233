// SPDX-License-Identifier: Apache-2.0
// What can go wrong in a simulation, and what the world does meanwhile: one row each.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "simulation/scheduler.h"

namespace proxima::simulation {

enum class Happening : std::uint8_t {
  // Of the next request of a process.
  LoseRequest,
  LoseAnswer,
  CutAnswer,
  RefuseConnection,
  DelayRequest,
  DelayAnswer,
  DoubleRequest,
  AnswerTooMany,
  AnswerBroken,
  AnswerUnavailable,
  DoneButTimeout,
  AnswerExpired,
  AnswerGarbage,
  StaleList,
  // Of a watch of a process.
  CutWatch,
  EndWatch,
  StallWatch,
  ExpireWatch,
  GarbageEvent,
  DoubleEvents,
  ReorderEvents,
  // Of a process.
  Partition,
  CutOff,
  RefuseStandby,
  Pause,
  PauseLeader,
  Crash,
  CrashLeader,
  Restart,
  JumpWallClock,
  // Of the server.
  ForgetHistory,
  // Of a kernel.
  KernelRefuses,
  KernelRefusesReading,
  KernelTableLost,
  // Of the cluster: things that users, kubelets and strangers do.
  FlipPod,
  AddPod,
  EndPod,
  RemovePod,
  ChangeService,
  AddService,
  RemoveService,
  AddNode,
  RemoveNode,
  RemoveZone,
  TamperSlice,
  StealSlice,
  ForeignSlice,
  HostileObject,
  HostileValue,
  NewConnection,
};
inline constexpr std::size_t kHappenings = static_cast<std::size_t>(Happening::NewConnection) + 1;

// How often something of a kind had an effect, and not only a time.
class Hits {
 public:
  void add(Happening happening) { ++of_[static_cast<std::size_t>(happening)]; }
  std::uint64_t of(Happening happening) const { return of_[static_cast<std::size_t>(happening)]; }
  std::uint64_t faults() const;

 private:
  std::array<std::uint64_t, kHappenings> of_{};
};

std::string_view to_text(Happening happening);
// Whether it counts as a fault; the rest is what goes on in any cluster.
bool is_fault(Happening happening);

// One thing that happens at a time.
struct Injection {
  Time at{0};
  Happening what = Happening::FlipPod;
  std::uint64_t dice = 0;  // of all that it draws: whom it hits, and how hard
  std::size_t number = 0;  // in the scenario of its seed, from 1 on
};
// "17  12.345 s  a watch is cut off"
std::string to_text(const Injection& injection);

}  // namespace proxima::simulation
