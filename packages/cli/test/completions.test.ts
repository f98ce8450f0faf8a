import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createProgram } from './fixture/program.ts'

/** The completions of three real shells, which ask a `wp` on their path. */

const wp = await createProgram('http://127.0.0.1:9')
const main = join(import.meta.dirname, '../bin/wp.mjs')
await writeFile(join(wp.folder, 'wp'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
await chmod(join(wp.folder, 'wp'), 0o755)
afterAll(() => wp.close())

/** Runs a program of a shell. @returns its output; undefined, with a printed reason, if the shell is not installed */
async function runShell(shell: string, args: readonly string[], program: string): Promise<string | undefined> {
  if (spawnSync(shell, ['--version']).status !== 0) {
    process.stdout.write(`not run: the completions of ${shell}, which is not installed\n`)
    return undefined
  }
  const file = join(wp.folder, `program.${shell}`)
  await writeFile(file, program)
  const path = `${wp.folder}:${process.env.PATH}`
  const env = { PATH: path, HOME: wp.folder, XDG_CONFIG_HOME: wp.folder, XDG_CACHE_HOME: wp.folder, TERM: 'dumb' }
  const child = spawn(shell, [...args, file], { cwd: wp.folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text))
  await once(child, 'close')
  return output
}

/** Types words and two tabs in an interactive zsh on a pseudo terminal, and prints what it shows. */
const zshProgram = (typed: string, last: string) => `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "autoload -Uz compinit; compinit -u -D; source <(wp completions zsh); PS1=; print re''ady"
zpty -r -m shell output '*ready*'
zpty -w -n shell $'${typed}\\t\\t'
zpty -r -m shell output '*${last}*'
print -r -- "$output"
zpty -d shell
`

describe('the completions', () => {
  it('propose commands and flags in bash', async () => {
    const output = await runShell(
      'bash',
      [],
      `source <(wp completions bash)
COMP_WORDS=(wp webhooks l); COMP_CWORD=2; _wp; echo "\${COMPREPLY[@]}"
COMP_WORDS=(wp keys list --j); COMP_CWORD=3; _wp; echo "\${COMPREPLY[@]}"`,
    )
    expect(output).toBe('list listen\n--json --jq\n')
  })

  it('propose commands and flags in fish', async () => {
    const output = await runShell(
      'fish',
      [],
      `wp completions fish | source
complete -C 'wp webhooks l'
complete -C 'wp keys list --j'`,
    )
    if (output !== undefined) expect(output.trim().split('\n').sort()).toEqual(['--jq', '--json', 'list', 'listen'])
  })

  it('propose commands in zsh', async () => {
    const output = await runShell('zsh', ['-f'], zshProgram('wp webhooks l', 'listen'))
    if (output !== undefined) expect(output).toMatch(/list +listen/)
  })

  it('propose flags in zsh', async () => {
    const output = await runShell('zsh', ['-f'], zshProgram('wp keys list --j', '--json'))
    if (output !== undefined) expect(output).toMatch(/--jq +--json/)
  })
})
