import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { setGlobals } from './globals.mjs'

const require = createRequire(import.meta.url)
const globalsUrl = new URL('./globals.mjs', import.meta.url).href

// The package `@jest/globals` throws when Node loads it, so the import is redirected to the functions of the current
// file.
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals'
      ? { url: globalsUrl, format: 'module', shortCircuit: true }
      : next(specifier, context),
})

/**
 * A Jest test runner: runs a test file with jest-circus and Node's own module loader. Jest's loader evaluates every
 * module again for every test file, which took a fifth of the time of all tests, and its memory was not freed. The
 * modules of a worker process are shared by its test files, so that they must not keep state.
 */
export default function runTestFile(globalConfig, config, environment, _runtime, path, sendMessage) {
  const nodeRuntime = {
    requireInternalModule: requireAgain,
    requireModule: require,
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (file) => importWithin(config.testTimeout, file),
    setGlobalsForRuntime: setGlobals,
    enterTestCode() {},
    leaveTestCode() {},
  }
  return require('jest-circus/runner').default(globalConfig, config, environment, nodeRuntime, path, sendMessage)
}

/** Loads a test file, whose set-up may stand at its top level, where Jest has no time limit. */
async function importWithin(timeoutMs, file) {
  const { promise, reject } = Promise.withResolvers()
  const timer = setTimeout(() => reject(new Error(`the test file has not loaded after ${timeoutMs} ms`)), timeoutMs)
  try {
    return await Promise.race([import(pathToFileURL(file).href), promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Evaluates jest-circus again for each test file, because it keeps the tests and hooks of a file in module state. */
function requireAgain(path) {
  delete globalThis[Symbol.for('EVENT_HANDLERS')]
  delete require.cache[path]
  return require(path)
}
