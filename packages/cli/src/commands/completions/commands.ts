import { buildCommand } from '@stricli/core'
import type { Shell } from './completions.ts'

const shells: readonly Shell[] = ['bash', 'fish', 'zsh']

export const completions = buildCommand({
  loader: async () => (await import('./completions.ts')).completions,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: parseShell, placeholder: shells.join('|'), brief: 'The shell' }],
    },
  },
  docs: {
    brief: 'Print a script that completes commands and flags',
    fullDescription:
      'bash: add  source <(wp completions bash)  to ~/.bashrc\n' +
      'zsh:  add  source <(wp completions zsh)  to ~/.zshrc, after compinit\n' +
      'fish: wp completions fish > ~/.config/fish/completions/wp.fish',
  },
})

function parseShell(text: string): Shell {
  const shell = shells.find((name) => name === text)
  if (shell === undefined) throw new Error(`must be one of ${shells.join(', ')}`)
  return shell
}
