"""lemmalab completion: what a shell needs to complete commands, options and the ids of the paper."""

from __future__ import annotations

import re
from typing import Any

import click

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_LEMMALAB_COMPLETE"
ID = re.compile(r'^id = "([^"\n]+)"', re.MULTILINE)
# Ids hold colons, at which bash breaks words: the words are taken from the line, and what stands before the last colon
# is not repeated in the answers.
BASH = f"""_lemmalab() {{
  local line="${{COMP_LINE:0:COMP_POINT}}" one current prefix=""
  local -a words
  read -ra words <<< "$line"
  [[ $line == *" " ]] && words+=("")
  current="${{words[${{#words[@]}}-1]}}"
  [[ $COMP_WORDBREAKS == *:* && $current == *:* ]] && prefix="${{current%"${{current##*:}}"}}"
  COMPREPLY=()
  while IFS=, read -r kind one; do
    case $kind in
      file) compopt -o default ;;
      dir) compopt -o dirnames ;;
      *) COMPREPLY+=("${{one#"$prefix"}}") ;;
    esac
  done < <(COMP_WORDS="${{words[*]}}" COMP_CWORD=$((${{#words[@]}} - 1)) {VARIABLE}=bash_complete "$1")
}}
complete -F _lemmalab lemmalab
"""


@click.command("completion", short_help="What your shell needs to complete commands and ids.")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the completion script for SHELL. To have it in every shell:

    \b
      bash   lemmalab completion bash > ~/.local/share/bash-completion/completions/lemmalab
      zsh    lemmalab completion zsh > ~/.zfunc/_lemmalab      (with fpath+=~/.zfunc before compinit)
      fish   lemmalab completion fish > ~/.config/fish/completions/lemmalab.fish
    """
    from click.shell_completion import get_completion_class

    from reports.cli import main

    if shell == "bash":
        click.echo(BASH, nl=False)
        return
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(main, {}, "lemmalab", VARIABLE).source())


def ids(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[Any]:
    """The statements, displays and checks that begin so; files too, where commands take a file of lemmas."""
    from click.shell_completion import CompletionItem

    from theory.project import project

    if "." in incomplete or "/" in incomplete:
        return [CompletionItem(incomplete, type="file")]
    try:
        found = project(ctx.find_root().params.get("paper"))
        names = known(found)
    except Exception:  # a shell that completes shows no errors
        return []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def known(project: Any) -> list[str]:
    """The ids in the paper's file, without reading the file as a whole."""
    file = project.file("paper")
    printed = ID.findall(file.read_text("utf-8")) if file.is_file() else []
    return list(dict.fromkeys([*project.ids(), *printed]))
