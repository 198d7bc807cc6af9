# The manual pages and the completions, made by asking the program itself.
find_program(HELP2MAN help2man)
set(manual_dir ${PROJECT_BINARY_DIR}/manual)
file(MAKE_DIRECTORY ${manual_dir})

set(made)
foreach(shell bash zsh fish)
  set(completion ${manual_dir}/completion.${shell})
  add_custom_command(OUTPUT ${completion}
    COMMAND keyhole_cli completion ${shell} > ${completion}
    DEPENDS keyhole_cli VERBATIM)
  list(APPEND made ${completion})
endforeach()

set(pages)
if(HELP2MAN)
  function(keyhole_page command title)
    set(page ${manual_dir}/${command}.1)
    string(REPLACE "-" ";" words ${command})
    list(REMOVE_AT words 0)  # keyhole-run is asked for by keyhole run --help
    list(JOIN words " " subcommand)
    add_custom_command(OUTPUT ${page}
      COMMAND ${HELP2MAN} --no-info --section=1 --name=${title} --output=${page}
              --version-string=${PROJECT_VERSION}
              "--help-option=${subcommand} --help" $<TARGET_FILE:keyhole_cli>
      COMMAND sed -i s/KEYHOLE_CLI/KEYHOLE/g ${page}
      DEPENDS keyhole_cli VERBATIM)
    set(pages ${pages} ${page} PARENT_SCOPE)
  endfunction()
  keyhole_page(keyhole "projection-free bandit convex optimisation")
  keyhole_page(keyhole-run "run an experiment")
  keyhole_page(keyhole-bench "compare programs of yours with the learners of a suite")
  keyhole_page(keyhole-merge "one directory of the results of several machines")
  keyhole_page(keyhole-slurm "submit an experiment to Slurm")
  keyhole_page(keyhole-list "show sets, learners and problems")
  keyhole_page(keyhole-check "check a set against its contract")
  keyhole_page(keyhole-study "learners that live on a disk")
  keyhole_page(keyhole-study-create "make a study")
  keyhole_page(keyhole-study-ask "the next play of a study")
  keyhole_page(keyhole-study-tell "tell the loss of a play")
  keyhole_page(keyhole-study-step "tell a loss and ask for the next play")
  keyhole_page(keyhole-study-learn "teach a study what was measured before")
  keyhole_page(keyhole-study-recommend "what to deploy")
  keyhole_page(keyhole-study-show "what a study is, has done and recommends")
  keyhole_page(keyhole-study-front "what can be had of a metric, and what it costs")
  keyhole_page(keyhole-study-list "the studies, by name")
  keyhole_page(keyhole-study-label "write a note and tags on a study")
  keyhole_page(keyhole-study-drive "run a command for each play of a study")
  keyhole_page(keyhole-study-compare "find out by a coin which of two settings is better")
  keyhole_page(keyhole-study-log "the asks and tells of a study in order")
  keyhole_page(keyhole-study-export "all plays of a study with their losses")
  keyhole_page(keyhole-study-verify "read the whole log of a study")
  keyhole_page(keyhole-study-pause "stop exploring")
  keyhole_page(keyhole-study-resume "explore again")
  keyhole_page(keyhole-study-copy "copy a study to another store")
  keyhole_page(keyhole-study-prove "measure by a coin how much better the plays are than the start")
  keyhole_page(keyhole-study-change "let a study go on on another space")
  keyhole_page(keyhole-study-renew "let a study go on that another version has made")
  keyhole_page(keyhole-study-delete "delete a study")
  keyhole_page(keyhole-study-undelete "bring back a study that was deleted")
  keyhole_page(keyhole-store "all studies of a folder or a database")
  keyhole_page(keyhole-store-copy "copy all studies to another store")
  keyhole_page(keyhole-report "make a report of results or of a study")
  keyhole_page(keyhole-reproduce "reproduce the paper's evaluation")
  if(KEYHOLE_WITH_SERVICE)
    keyhole_page(keyhole-serve "studies over HTTP")
    keyhole_page(keyhole-token "who may use a service")
    keyhole_page(keyhole-token-new "a new token for a tenant of a service")
    keyhole_page(keyhole-token-list "the tokens of a service")
    keyhole_page(keyhole-token-revoke "take tokens back")
  endif()
endif()
add_custom_target(keyhole_manual ALL DEPENDS ${made} ${pages})

# Optional: who builds the program alone installs it without them.
if(KEYHOLE_INSTALL)
  install(FILES ${manual_dir}/completion.bash RENAME keyhole OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${manual_dir}/completion.zsh RENAME _keyhole OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${manual_dir}/completion.fish RENAME keyhole.fish OPTIONAL
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  install(FILES ${pages} OPTIONAL DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
