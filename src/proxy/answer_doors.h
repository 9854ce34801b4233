// SPDX-License-Identifier: Apache-2.0
// Health checks on any number of ports, which come and go: one thread answers all of them, and one
// descriptor is all that a port needs. For one thread; its doors must not outlive it.
#pragma once

#include <memory>
#include <thread>
#include <utility>

#include "base/result.h"
#include "net/http_doors.h"
#include "proxy/answer_handler.h"
#include "proxy/answer_server.h"

namespace proxima::proxy {

class AnswerDoors {
 public:
  AnswerDoors() = default;
  ~AnswerDoors();
  AnswerDoors(const AnswerDoors&) = delete;
  AnswerDoors& operator=(const AnswerDoors&) = delete;

  // An open port. When it is destroyed, the port is free for others at once.
  class Door {
   public:
    Door(Door&& other) noexcept : doors_(std::exchange(other.doors_, nullptr)), id_(other.id_) {}
    Door& operator=(Door&& other) noexcept {
      std::swap(doors_, other.doors_);
      std::swap(id_, other.id_);
      return *this;
    }
    ~Door();

   private:
    friend class AnswerDoors;
    Door(net::HttpDoors& doors, net::HttpDoors::Id id) : doors_(&doors), id_(id) {}

    net::HttpDoors* doors_;  // null: moved from
    net::HttpDoors::Id id_;
  };

  // An error names the address.
  Result<Door> open(const AnswerAddress& at, AnswerHandler::Answer answer);

 private:
  Status start();

  std::unique_ptr<net::HttpDoors> doors_;  // null before the first is opened
  std::thread thread_;
};

}  // namespace proxima::proxy
