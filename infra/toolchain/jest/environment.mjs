import { ModuleMocker } from 'jest-mock'

/** A Jest test environment without a global object of its own: tests run in that of the worker process. */
export default class NodeEnvironment {
  // Jest assigns the console of the test file, and a replacement for `process.exit`, to this object.
  global = {}
  moduleMocker = new ModuleMocker(globalThis)

  async setup() {}

  async teardown() {}

  exportConditions() {
    return ['node', 'node-addons']
  }

  getVmContext() {
    return null
  }
}
