// SPDX-License-Identifier: Apache-2.0
#include "manifest/read_manifests.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "manifest/input_files.h"
#include "manifest/manifest_reader.h"

namespace proxima::manifest {
namespace {

// Closes what it opened; standard input is the caller's.
class Descriptor {
 public:
  Descriptor(const std::string& path, int standard_input)
      : owned_(path != kStandardInput),
        number_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : standard_input) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (owned_ && number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }

 private:
  bool owned_;
  int number_;
};

Result<wire::PaddedText> read_file(const InputFile& file, ManifestReader& reader,
                                   const ReadOptions& options) {
  const Descriptor descriptor(file.path, options.standard_input);
  if (descriptor.number() < 0)
    return Error{ErrorCode::Denied, std::generic_category().message(errno)};
  const std::uint64_t before = reader.progress.read();
  return wire::PaddedText::read(
      descriptor.number(), [&](std::size_t bytes) { reader.progress.set_read(before + bytes); });
}

// In a directory one bad file does not stop the rest; a file that was asked for by name does.
Status read_one(const InputFile& file, ManifestReader& reader, const ReadOptions& options) {
  reader.enter_file(file.path);
  auto text = read_file(file, reader, options);
  if (!text && !file.from_directory) return std::move(text).error().in(file.path);
  if (!text) {
    reader.report_file(text.error().message);
    return reader.check_strict();
  }
  Status done = reader.read(text->text());
  if (!done && file.from_directory && !options.strict) return Unit{};  // the log has it
  return done;
}

// Nothing found at all: the first problem says why, if there is one.
Result<Loaded> finish(ManifestReader& reader, const std::string& inputs,
                      const ReadOptions& options) {
  if (!reader.has_objects()) {
    const auto& problems = reader.log().problems();
    if (!problems.empty()) return Error{ErrorCode::InvalidInput, wire::to_text(problems.front())};
    return Error{ErrorCode::InvalidInput, inputs + ": no Kubernetes object in it"};
  }
  Loaded loaded = reader.finish();
  if (options.strict && !loaded.problems.empty())
    return Error{ErrorCode::InvalidInput, wire::to_text(loaded.problems.front())};
  return loaded;
}

}  // namespace

Result<Loaded> read_manifests(const std::vector<std::string>& inputs, const ReadOptions& options) {
  auto files = find_input_files(inputs);
  if (!files) return std::move(files).error();
  ManifestReader reader(options);
  std::uint64_t total = 0;
  for (const InputFile& file : *files) total += file.bytes;
  const bool known =
      std::ranges::none_of(*files, [](const InputFile& file) { return file.bytes == 0; });
  reader.progress.set_total(known ? total : 0);
  std::string names;
  for (const InputFile& file : *files) {
    if (auto status = read_one(file, reader, options); !status) return std::move(status).error();
    if (names.size() < 100) names += (names.empty() ? "" : ", ") + file.path;
  }
  return finish(reader, names, options);
}

Result<Loaded> read_manifest_text(std::string_view text, std::string_view name,
                                  const ReadOptions& options) {
  ManifestReader reader(options);
  reader.enter_file(name);
  const wire::PaddedText padded(text);
  reader.progress.set_total(text.size());
  reader.progress.set_read(text.size());
  if (auto status = reader.read(padded.text()); !status) return std::move(status).error();
  return finish(reader, std::string(name), options);
}

Result<Loaded> read_manifest_source(const TextSource& source, const ReadOptions& options) {
  ManifestReader reader(options);
  std::uint64_t bytes = 0;
  std::string first;
  for (;;) {
    auto next = source();
    if (!next) return std::move(next).error();
    if (!*next) break;
    const NamedText& named = **next;
    if (first.empty()) first = named.name;
    reader.enter_file(named.name);
    reader.progress.set_read(bytes += named.text.text().size());
    if (auto status = reader.read(named.text.text()); !status) return std::move(status).error();
  }
  return finish(reader, first, options);
}

}  // namespace proxima::manifest
