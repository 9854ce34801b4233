// SPDX-License-Identifier: Apache-2.0
#include "cli/run_place.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/json.hpp>
#include <cstring>
#include <filesystem>
#include <utility>

#include "apiserver/data_directory.h"
#include "apiserver/private_files.h"
#include "cli/text_file.h"

namespace proxima::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr const char* kRunFile = "/run.json";
constexpr const char* kLock = "/up.lock";
constexpr const char* kOwnData = "/lab";  // of labs that nobody wants to keep

Error system_error(const std::string& what) {
  return {ErrorCode::Denied, what + ": " + std::strerror(errno)};
}

std::string contents_of(int descriptor) {
  std::array<char, 4096> text{};
  const ssize_t size = pread(descriptor, text.data(), text.size(), 0);
  return size > 0 ? std::string(text.data(), static_cast<std::size_t>(size)) : std::string();
}

bool is_held(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool held = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  close(descriptor);
  return held;
}

std::string first_line(const std::string& path) {
  auto text = read_text_file(path);
  return text ? text->substr(0, text->find('\n')) : std::string();
}

// For whoever wants to start a second one.
Error already_running(const std::string& data) {
  std::string message = "a lab is running already";
  const auto run = read_text_file(data + kRunFile);
  const auto facts = run ? parse_run_file(*run) : Result<RunFile>(run.error());
  if (facts)
    message += " (process " + std::to_string(facts->process) + "): its page is at " + facts->url +
               ", its kubeconfig is " + facts->kubeconfig;
  else
    message += " or starting, in " + data;
  return {ErrorCode::Conflict,
          message + "; \"proxima lab status\" shows it, Ctrl-C where it runs ends it"};
}

Result<FileLock> lock_data(const std::string& data) {
  Status made = apiserver::make_private_folder(data);
  if (!made) return std::move(made).error();
  auto lock = FileLock::take(data + kLock);
  if (!lock && lock.error().code == ErrorCode::Conflict) return already_running(data);
  return lock;
}

// Certificates and the database of a lab that was kept stay; how to reach it does not.
Status clear_leftovers(const std::string& data, bool kept) {
  std::error_code error;
  if (kept) {
    fs::remove(data + kRunFile, error);
    return Unit{};
  }
  for (const auto& entry : fs::directory_iterator(data, error)) {
    if (entry.path().filename() == std::string(kLock).substr(1)) continue;
    fs::remove_all(entry, error);
    if (error) break;
  }
  if (error) return Error{ErrorCode::Denied, "clear " + data + ": " + error.message()};
  return Unit{};
}

}  // namespace

std::string state_folder(const Environment& environment) {
  const auto state = environment("XDG_STATE_HOME");
  if (state && state->starts_with("/")) return *state + "/proxima";
  const auto home = environment("HOME");
  if (home && home->starts_with("/")) return *home + "/.local/state/proxima";
  return (fs::temp_directory_path() / ("proxima-" + std::to_string(getuid()))).string();
}

std::string render_run_file(const RunFile& run) {
  return json::serialize(json::object{{"pid", run.process},
                                      {"url", run.url},
                                      {"token", run.token},
                                      {"kubeconfig", run.kubeconfig}}) +
         "\n";
}

Result<RunFile> parse_run_file(const std::string& text) {
  boost::system::error_code error;
  const json::value value = json::parse(text, error);
  const auto* object = value.if_object();
  const auto word = [&](const char* key) -> std::string {
    const auto* field = object->if_contains(key);
    return field != nullptr && field->is_string() ? std::string(field->get_string()) : "";
  };
  if (error.failed() || object == nullptr || word("url").empty())
    return Error{ErrorCode::InvalidInput, "not the run file of a lab"};
  const auto* process = object->if_contains("pid");
  return RunFile{.process = process != nullptr && process->is_int64() ? process->get_int64() : 0,
                 .url = word("url"),
                 .token = word("token"),
                 .kubeconfig = word("kubeconfig")};
}

Result<FileLock> FileLock::take(const std::string& path) {
  PROXIMA_TRY(Descriptor file, apiserver::open_own_file(path), "lock");
  if (flock(file.number(), LOCK_EX | LOCK_NB) == 0) return FileLock(std::move(file));
  if (errno == EWOULDBLOCK) return Error{ErrorCode::Conflict, contents_of(file.number())};
  return system_error("lock " + path);
}

Status FileLock::write(const std::string& text) const {
  const bool written =
      ftruncate(file_.number(), 0) == 0 &&
      pwrite(file_.number(), text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
  if (!written) return system_error("write the lock");
  return Unit{};
}

Result<RunPlace> RunPlace::take(const std::string& state, const std::string& data_directory) {
  Status made = apiserver::make_private_folder(state);
  if (!made) return std::move(made).error();
  auto user = FileLock::take(state + kLock);
  if (!user && user.error().code == ErrorCode::Conflict) {
    const std::string& where = user.error().message;
    return already_running(where.substr(0, where.find('\n')));
  }
  if (!user) return std::move(user).error();
  const bool kept = !data_directory.empty();
  std::error_code ignored;
  const std::string data =
      kept ? fs::absolute(data_directory, ignored).lexically_normal().string() : state + kOwnData;
  auto lock = lock_data(data);
  if (!lock) return std::move(lock).error();
  Status cleared = clear_leftovers(data, kept);
  if (!cleared) return std::move(cleared).error();
  RunPlace place(std::move(*user), std::move(*lock), data, kept);
  Status written = place.user_.write(data + "\n");
  if (written) written = apiserver::make_private_folder(place.logs());
  if (!written) return std::move(written).error();
  return place;
}

RunPlace::RunPlace(RunPlace&& other) noexcept
    : user_(std::move(other.user_)),
      data_lock_(std::move(other.data_lock_)),
      data_(std::exchange(other.data_, {})),
      kept_(other.kept_) {}

RunPlace::~RunPlace() {
  if (data_.empty()) return;
  std::error_code ignored;
  if (kept_) {
    fs::remove(data_ + kRunFile, ignored);
  } else {
    fs::remove_all(data_, ignored);
  }
  static_cast<void>(user_.write(""));
}

Status RunPlace::publish(const RunFile& run) const {
  return apiserver::write_private_file(data_ + kRunFile, render_run_file(run));
}

Result<RunFile> find_run(const std::string& state, const std::string& data_directory) {
  std::error_code ignored;
  if (data_directory.empty() && fs::exists(state, ignored)) {
    // Whoever owns the folder decides where the commands of this user go.
    Status owned = apiserver::check_folder_owner(state);
    if (!owned) return std::move(owned).error();
  }
  const std::string data = data_directory.empty() ? first_line(state + kLock) : data_directory;
  const std::string start = "; \"proxima up\" starts one";
  if (data.empty()) return Error{ErrorCode::NotFound, "no lab of this user is running" + start};
  if (!is_held(data + kLock)) {
    const bool killed = fs::exists(data + kRunFile);
    return Error{
        ErrorCode::NotFound,
        (killed ? "the lab in " + data + " was killed" : "no lab is running in " + data) + start};
  }
  auto text = read_text_file(data + kRunFile);
  if (!text)
    return Error{ErrorCode::Retry, "the lab in " + data +
                                       " is still starting, or belongs to "
                                       "another user"};
  auto run = parse_run_file(*text);
  if (!run) return std::move(run).error().in(data + kRunFile);
  return run;
}

}  // namespace proxima::cli
