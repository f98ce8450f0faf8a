import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledProgram } from '@wp/testkit'
import { listProgramSources } from '../../../toolchain/programs/program-sources.ts'

const root = join(import.meta.dirname, '../../../..')

/**
 * Returns shell scripts that stand in for `npm` and `node`: commands run the same programs, from their bundles. npm and
 * the loading of the sources would take a second of processor time for each command.
 */
export async function standInsOfNode(): Promise<Record<string, string>> {
  const sources = listProgramSources(root).filter((source) => source.startsWith('infra/'))
  const bundles = await Promise.all(
    sources.map(async (source) => {
      const { path, env } = await bundledProgram(source)
      const cache = `export NODE_COMPILE_CACHE='${env.NODE_COMPILE_CACHE}'`
      return `${source}) shift; ${cache}; exec '${process.execPath}' '${path}' "$@";;`
    }),
  )
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commands = Object.entries(scripts)
    .filter(([, command]) => command.startsWith('node '))
    .map(([name, command]) => `${name}) exec ${command} "$@";;`)
  return {
    node: `case "$1" in\n${bundles.join('\n')}\nesac\nexec '${process.execPath}' "$@"`,
    npm: [
      '[ "$1" = run ] || exit 64',
      'shift; [ "$1" = --silent ] && shift',
      'name=$1; shift; [ "$1" = -- ] && shift',
      `case "$name" in\n${commands.join('\n')}\nesac`,
      'echo "Missing script: $name" >&2; exit 1',
    ].join('\n'),
  }
}
