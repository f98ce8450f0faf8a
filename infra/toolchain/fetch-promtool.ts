// `npm run promtool` stores promtool, with which the alert rules are tested, in the cache: from the Debian package
// prometheus, which is unpacked and not installed, so that no server starts. Exits with 1 if it cannot be had; these tests
// are then skipped and say so.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { downloadDebianProgram } from '@wp/testkit'

const cache = join(import.meta.dirname, '../../node_modules/.cache')
const place = join(cache, 'promtool/promtool')
if (existsSync(place)) process.exit()
mkdirSync(join(cache, 'promtool'), { recursive: true })
const workFolder = mkdtempSync(join(cache, 'fetching-'))
try {
  const program = await downloadDebianProgram(workFolder, 'promtool', undefined, 'prometheus')
  renameSync(program, place)
} catch (error) {
  const reason = error instanceof Error ? error.message.trim().split('\n').at(-1) : error
  process.stderr.write(`promtool cannot be had: ${reason}\n`)
  process.exitCode = 1
} finally {
  rmSync(workFolder, { recursive: true, force: true })
}
