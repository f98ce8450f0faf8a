import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from '@jest/globals'

const run = promisify(execFile)

/** Prints the URLs of all modules that are loaded for an import. */
const program = (specifier: string) => `
  import { registerHooks } from 'node:module'
  const loaded = new Set()
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context)
      loaded.add(resolved.url)
      return resolved
    },
  })
  const entry = await import(${JSON.stringify(specifier)})
  process.stdout.write(JSON.stringify({ loaded: [...loaded], names: Object.keys(entry).sort() }))
`

async function load(specifier: string): Promise<{ loaded: string[]; names: string[] }> {
  const args = ['--input-type=module', '--eval', program(specifier)]
  const { stdout } = await run(process.execPath, args, { cwd: import.meta.dirname })
  return JSON.parse(stdout)
}

it('the browser entry loads modules of the client and the query serializer only', async () => {
  const { loaded, names } = await load('@wp/client/browser')
  const errors = names.filter((name) => name.endsWith('Error'))
  expect(errors.length).toBeGreaterThan(60)
  expect(names.filter((name) => !errors.includes(name))).toEqual(['createClientFromTable', 'paginate', 'waitFor'])
  const allowed =
    /\/packages\/(client\/src\/(contracts\/query|(transport\/)?[a-z-]+)|contracts\/src\/core\/shape\/query)\.ts$/
  expect(loaded.filter((url) => !allowed.test(url))).toEqual([])
  expect(loaded.length).toBeGreaterThan(5)
})

it('the entry for Node.js loads zod and node:crypto, so that the test above can fail', async () => {
  const { loaded } = await load('@wp/client')
  expect(loaded).toContain('node:crypto')
  expect(loaded.filter((url) => url.includes('/zod/'))).not.toEqual([])
})
