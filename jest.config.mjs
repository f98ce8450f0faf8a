import { availableParallelism } from 'node:os'

/** @type {import('jest').Config} */
export default {
  testRunner: '<rootDir>/infra/toolchain/jest/test-runner.mjs',
  testEnvironment: '<rootDir>/infra/toolchain/jest/environment.mjs',
  transform: {},
  testSequencer: '<rootDir>/infra/toolchain/jest/sequencer.mjs',
  testMatch: ['<rootDir>/{gateway,packages/*,services/*,infra/*,bench}/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.local'],
  globalSetup: '<rootDir>/packages/testkit/src/jest/setup.ts',
  globalTeardown: '<rootDir>/packages/testkit/src/jest/teardown.ts',
  reporters: ['default', '<rootDir>/infra/toolchain/jest/totals-reporter.mjs'],
  // Tests wait for the database and for other processes about half of their time.
  maxWorkers: availableParallelism() * 2,
  // Ends a test that hangs. Generous, because the machine may be shared.
  testTimeout: 300_000,
  // Kills a worker process that has not exited after its last test, with a warning about open handles. After the default,
  // 500 ms, a process without any may still be exiting on a busy machine.
  workerGracefulExitTimeout: 10_000,
}
