import { join } from 'node:path'

const compileCache = join(import.meta.dirname, '../../../node_modules/.cache/node')

/**
 * Returns the environment of a program that a test starts: PATH, Node's cache of compiled code, without which a service
 * compiles its modules for a second at each start, and the given variables.
 */
export const programEnvironment = (variables: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  NODE_COMPILE_CACHE: compileCache,
  ...variables,
})
