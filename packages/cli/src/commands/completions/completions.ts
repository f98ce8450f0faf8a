import type { Context } from '../../context.ts'

/** The scripts ask the command itself, so that they stay valid when it gets new commands. */
const scripts = {
  bash: `_wp() {
  local IFS=$'\\n'
  COMPREPLY=($(wp __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _wp wp
`,
  zsh: `_wp() {
  local -a proposals
  proposals=("\${(@f)$(wp __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -a proposals || _files
}
compdef _wp wp
`,
  fish: `complete -c wp -a '(wp __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
}

/** A shell with a completion script. */
export type Shell = keyof typeof scripts

export async function completions(this: Context, _flags: Record<never, never>, shell: Shell): Promise<void> {
  this.process.stdout.write(scripts[shell])
}
