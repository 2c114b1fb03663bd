# Tab completes verbs, puzzles and variants of `workbook`, where it is installed; `activate` has the same for a checkout.
_workbook_complete() {
  local IFS=$'\n'
  mapfile -t COMPREPLY < <(compgen -W "$(workbook complete "${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" \
    -- "${COMP_WORDS[COMP_CWORD]}")
}
complete -F _workbook_complete workbook
