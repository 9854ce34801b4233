// SPDX-License-Identifier: Apache-2.0
// A way to wake whoever is blocked in I/O, from another thread. Copies are the same cancellation.
#pragma once

#include <functional>
#include <memory>

namespace proxima::net {

class Cancellation {
  struct Slot;
  struct State;

 public:
  Cancellation();

  // From any thread, any number of times. Runs what is attached, in this thread.
  void cancel() const;
  bool cancelled() const;

  // Keeps `on_cancel` attached as long as it lives. Attaching to what is cancelled already runs it
  // at once. The destructor waits for a call that is under way.
  class Attachment {
   public:
    Attachment(const Cancellation& cancellation, std::function<void()> on_cancel);
    ~Attachment();
    Attachment(const Attachment&) = delete;
    Attachment& operator=(const Attachment&) = delete;

   private:
    std::shared_ptr<Slot> slot_;
  };

 private:
  std::shared_ptr<State> state_;
};

}  // namespace proxima::net
