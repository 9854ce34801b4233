// SPDX-License-Identifier: Apache-2.0
#include "cli/migrate_patches.h"

#include <functional>

#include "cli/migrate_text.h"
#include "cli/service_choice.h"
#include "cli/text_width.h"
#include "report/document.h"
#include "report/service_patch.h"

namespace proxima::cli {
namespace {

using plan::Migration;
using plan::Move;
using report::DocumentFormat;
using report::DocumentWriter;

// One word of a shell, whatever is in it.
std::string shell_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// Names in a dump are not trusted: a line break would end the comment.
std::string comment(std::string_view text) { return "# " + printable(text) + "\n"; }

struct PatchedObject {
  std::string_view resource;  // "service", "Deployment"
  std::string_view ns;
  std::string_view name;
  std::string_view type;  // of kubectl patch: merge, strategic
};

using WritePatch = std::function<void(DocumentWriter&)>;

std::string patch_command(const PatchedObject& object, const WritePatch& write) {
  DocumentWriter compact(DocumentFormat::Compact);
  write(compact);
  std::string out = "kubectl patch ";
  out.append(object.resource).append(" ").append(shell_word(object.name));
  out.append(" --namespace ").append(shell_word(object.ns));
  out.append(" --type ").append(object.type);
  return out + " --patch " + shell_word(std::move(compact).finish());
}

class PatchDocuments {
 public:
  PatchDocuments(const plan::Migrations& migrations, std::optional<plan::MoveTarget> to)
      : migrations_(migrations), snapshot_(*migrations.snapshot), to_(to) {}

  std::string render() && {
    model::ServiceIndex last;
    for (const Migration& one : migrations_.services) {
      if (one.service != last) add(one);  // a patch is for both families
      last = one.service;
    }
    return std::move(out_);
  }

 private:
  void add(const Migration& migration) {
    if (migration.suggested) add_service(migration, *find_move(migration, *migration.suggested));
    if (to_ == plan::MoveTarget::Auto) add_workload(migration);
  }

  void add_service(const Migration& migration, const Move& move) {
    const model::Service& object = snapshot_.services[migration.service.value()];
    const PatchedObject patched{.resource = "service",
                                .ns = snapshot_.namespace_name(object.ns),
                                .name = snapshot_.names[object.name],
                                .type = "merge"};
    begin(full_name(snapshot_, migration.service) + ": " + move_label(move) + " instead of " +
          std::string(policy::to_text(migration.now.policy)));
    for (const policy::Note& note : move.in_the_way)
      out_ += comment("in the way: " + policy::sentence(note));
    finish(patched, [&](DocumentWriter& writer) {
      write_service_patch(writer, snapshot_, migration.service, move.patch);
    });
  }

  void add_workload(const Migration& migration) {
    for (const plan::PodAdvice& advice : migration.pods) {
      if (!report::has_workload_patch(snapshot_, migration, advice)) continue;
      const model::Service& object = snapshot_.services[migration.service.value()];
      const auto [kind, name] = report::workload_name(migration.workload);
      const PatchedObject patched{.resource = kind,
                                  .ns = snapshot_.namespace_name(object.ns),
                                  .name = name,
                                  .type = "strategic"};
      begin(std::string(migration.workload) + ": spread over the zones, for auto of " +
            full_name(snapshot_, migration.service));
      finish(patched, [&](DocumentWriter& writer) {
        write_workload_patch(writer, snapshot_, migration, advice);
      });
    }
  }

  void begin(const std::string& what) {
    if (!out_.empty()) out_ += "---\n";
    out_ += comment(what);
  }

  void finish(const PatchedObject& object, const WritePatch& write) {
    out_ += comment(patch_command(object, write));
    DocumentWriter yaml(DocumentFormat::Yaml);
    write(yaml);
    out_ += std::move(yaml).finish();
  }

  const plan::Migrations& migrations_;
  const model::Snapshot& snapshot_;
  std::optional<plan::MoveTarget> to_;
  std::string out_;
};

}  // namespace

std::string migrate_patches(const plan::Migrations& migrations,
                            std::optional<plan::MoveTarget> to) {
  return PatchDocuments(migrations, to).render();
}

}  // namespace proxima::cli
