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
  testTimeout: 60_000,
}
