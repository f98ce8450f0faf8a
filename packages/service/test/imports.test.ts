import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'

const run = promisify(execFile)

/** Prints the URL of every module that a process loads when it imports the package. */
const listModules = `
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, nextLoad) {
      console.log(url)
      return nextLoad(url, context)
    },
  })
  await import('@wp/service')
`

it('@wp/service does not load the database driver or Prisma when it is imported', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', listModules], {
    cwd: new URL('../../../gateway', import.meta.url).pathname,
    maxBuffer: 10_000_000,
  })
  const modules = stdout.trim().split('\n')
  expect(modules).toContainEqual(expect.stringContaining('packages/service/src/index.ts'))
  expect(modules.filter((url) => /\/(@prisma|pg)\//.test(url))).toEqual([])
  // These are entry points of their own, which import only types of the package.
  const databaseModules = modules.filter((url) => url.includes('packages/database/'))
  expect(databaseModules.map((url) => url.split('/packages/database/')[1]).sort()).toEqual([
    'src/new-id.ts',
    'src/quota/meter-limits.ts',
    'src/quota/plan-limits.ts',
    'src/transaction/worker-transaction.ts',
  ])
})
