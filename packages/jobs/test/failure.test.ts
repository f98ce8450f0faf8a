import { describe, expect, it } from '@jest/globals'
import { Problem } from '@wp/contracts'
import { JobFailure } from '../src/index.ts'
import { shouldRetry, toJobError } from '../src/runner/failure.ts'

describe('toJobError', () => {
  it.each([
    [new JobFailure({ code: 'auth', message: 'Refused', retryable: false }), 'auth', 'Refused', false],
    [new Problem('not_found', { detail: 'No such source' }), 'not_found', 'No such source', false],
    [new Problem('rate_limited'), 'rate_limited', 'Too many requests', true],
    [new Problem('internal_error', { detail: 'secret' }), 'internal_error', 'Something went wrong on our side', true],
    [new Error('secret'), 'internal_error', 'Something went wrong on our side', true],
    ['secret', 'internal_error', 'Something went wrong on our side', true],
  ])('converts %p', (thrown, code, message, retryable) => {
    expect(toJobError(thrown)).toEqual({ code, message, retryable })
  })
})

describe('shouldRetry', () => {
  it.each([
    [true, 0, 1, false],
    [true, 0, 2, true],
    [true, 1, 2, false],
    [false, 0, 5, false],
  ])(
    'given retryable %p after %d failures of %d attempts returns %p',
    (retryable, failures, maxAttempts, isRetried) => {
      expect(shouldRetry({ code: 'x', message: 'x', retryable }, failures, maxAttempts)).toBe(isRetried)
    },
  )
})
