// The commands of 'keyhole study', and what they share.

#pragma once

#include "cli/commands.h"
#include "keyhole/store.h"

namespace keyhole::cli {

/// keyhole study, with the commands under it.
[[nodiscard]] CommandInfo study_command();

/// keyhole store, likewise.
[[nodiscard]] CommandInfo store_command();

int study_create(const Arguments& arguments, const Program& program);
int study_ask(const Arguments& arguments, const Program& program);
int study_tell(const Arguments& arguments, const Program& program);
int study_learn(const Arguments& arguments, const Program& program);
int study_step(const Arguments& arguments, const Program& program);
int study_recommend(const Arguments& arguments, const Program& program);
int study_show(const Arguments& arguments, const Program& program);
int study_front(const Arguments& arguments, const Program& program);
int study_list(const Arguments& arguments, const Program& program);
int study_label(const Arguments& arguments, const Program& program);
int study_drive(const Arguments& arguments, const Program& program);
int study_compare(const Arguments& arguments, const Program& program);
int study_log(const Arguments& arguments, const Program& program);
int study_export(const Arguments& arguments, const Program& program);
int study_verify(const Arguments& arguments, const Program& program);
int study_change(const Arguments& arguments, const Program& program);
int study_copy(const Arguments& arguments, const Program& program);
int store_copy(const Arguments& arguments, const Program& program);
int study_renew(const Arguments& arguments, const Program& program);
int study_prove(const Arguments& arguments, const Program& program);
int study_pause(const Arguments& arguments, const Program& program);
int study_resume(const Arguments& arguments, const Program& program);
int study_delete(const Arguments& arguments, const Program& program);
int study_undelete(const Arguments& arguments, const Program& program);

/// 'study show --watch': a view that is drawn again and again.
int study_watch(const Arguments& arguments, const Program& program);

/// What --worker says, or else the default. Throws UsageError for what is no name.
[[nodiscard]] std::string worker_of(const Arguments& arguments, const std::string& otherwise);

/// The report of a study of a store, as it is at one moment.
[[nodiscard]] report::Report study_report(const Store& live, const std::string& name,
                                          const Catalogue& catalogue);

/// For how long what is deleted can be brought back.
[[nodiscard]] OptionInfo keep_deleted_option();
/// That, in seconds.
[[nodiscard]] double keep_deleted(const Arguments& arguments);
/// How the options say that a store keeps its studies.
[[nodiscard]] StoreOptions store_options(const Arguments& arguments);
/// The folder that the options name.
[[nodiscard]] std::string folder_of(const Arguments& arguments);
/// Whether there is a study that the first word names.
[[nodiscard]] bool has_study(const Arguments& arguments, const Program& program);
/// The store that the options name. Throws StudyError if its folder does not exist.
[[nodiscard]] Store the_store(const Arguments& arguments, const Program& program);
/// The same; makes the folder.
[[nodiscard]] Store new_store(const Arguments& arguments, const Program& program);
/// The same in another folder.
[[nodiscard]] Store store_in(const std::string& folder, const Arguments& arguments,
                             const Program& program);
/// The study that the first word names.
[[nodiscard]] Study the_study(const Arguments& arguments, const Program& program);

}  // namespace keyhole::cli
