// `npm run prometheus` stores Prometheus and promtool, with which the alert rules and the dashboards are tested, in the
// cache: from the Debian package, which is unpacked and not installed, so that no server starts. Exits with 1 if it
// cannot be had; these tests are then skipped and say so.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { downloadDebianProgram } from '@wp/testkit'

const cache = join(import.meta.dirname, '../../node_modules/.cache')
const folder = join(cache, 'prometheus')
const programs = ['promtool', 'prometheus']
if (programs.every((program) => existsSync(join(folder, program)))) process.exit()
mkdirSync(folder, { recursive: true })
const workFolder = mkdtempSync(join(cache, 'fetching-'))
try {
  const unpacked = dirname(await downloadDebianProgram(workFolder, 'prometheus'))
  for (const program of programs) renameSync(join(unpacked, program), join(folder, program))
} catch (error) {
  const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : error
  process.stderr.write(`Prometheus cannot be had: ${reason}\n`)
  process.exitCode = 1
} finally {
  rmSync(workFolder, { recursive: true, force: true })
}
