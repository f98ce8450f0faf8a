/** @type {import('jest').Config} */
export default {
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/infra/toolchain/jest-transform.mjs' },
  testMatch: ['<rootDir>/{gateway,packages/*,services/*,infra/*,bench}/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.local'],
  globalSetup: '<rootDir>/packages/testkit/src/jest/setup.ts',
  globalTeardown: '<rootDir>/packages/testkit/src/jest/teardown.ts',
  reporters: ['default', '<rootDir>/infra/toolchain/jest-reporter.mjs'],
  coverageProvider: 'v8',
  maxWorkers: '100%',
  // Modules of earlier suites stay in memory. With a larger heap a worker takes so long to exit that Jest kills it.
  workerIdleMemoryLimit: '500MB',
  testTimeout: 60_000,
}
