import { ModuleMocker } from 'jest-mock'

/** The functions of the test file that runs. */
let current = {}

export function setGlobals(globals) {
  current = globals
}

// A module shared by several test files, such as a fixture, imports these once, so each call looks up the current
// function.
const delegate = (name) =>
  new Proxy(() => {}, {
    apply: (_target, self, args) => Reflect.apply(current[name], self, args),
    get: (_target, key) => current[name][key],
  })

export const afterAll = delegate('afterAll')
export const afterEach = delegate('afterEach')
export const beforeAll = delegate('beforeAll')
export const beforeEach = delegate('beforeEach')
export const describe = delegate('describe')
export const expect = delegate('expect')
export const it = delegate('it')
export const test = delegate('test')

const mocker = new ModuleMocker(globalThis)
export const jest = { fn: mocker.fn.bind(mocker), spyOn: mocker.spyOn.bind(mocker) }
