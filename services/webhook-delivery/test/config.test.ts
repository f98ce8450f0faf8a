import { describe, expect, it } from '@jest/globals'
import { readConfig } from '@wp/service'
import { config } from '../src/config.ts'
import { defaultRetrySchedule } from '../src/delivery/retry-schedule.ts'

const key = Buffer.alloc(32, 1).toString('base64')
const env = {
  PORT: '0',
  PUBLIC_BASE_URL: 'http://localhost:4000',
  SHARD: 's1',
  LOCATION: 'EU',
  ASSERTION_KEY_FILE: 'key',
  ASSERTION_KEYS_FILE: 'keys',
  DATABASE_URL: 'postgres://localhost/a',
  DATABASE_WORKER_URL: 'postgres://localhost/a',
  NATS_URL: 'nats://localhost',
  KEK: key,
}
const production = { ...env, ENVIRONMENT: 'production', PUBLIC_BASE_URL: 'https://api.example.com' }

describe('config', () => {
  it('has defaults for all delivery settings', () => {
    expect(readConfig(config, env)).toMatchObject({
      RETRY_SCHEDULE_SECONDS: defaultRetrySchedule,
      ATTEMPT_TIMEOUT_SECONDS: 15,
      LEASE_SECONDS: 20,
    })
  })

  it('reads a schedule, addresses and ports', () => {
    const read = readConfig(config, {
      ...env,
      RETRY_SCHEDULE_SECONDS: '0.5, 2,30',
      OUTBOUND_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
      OUTBOUND_PORTS: '443,8000-9000',
    })
    expect(read).toMatchObject({
      RETRY_SCHEDULE_SECONDS: [0.5, 2, 30],
      OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8', '::1/128'],
      OUTBOUND_PORTS: [
        { from: 443, to: 443 },
        { from: 8000, to: 9000 },
      ],
    })
  })

  it.each([
    ['RETRY_SCHEDULE_SECONDS', { ...env, RETRY_SCHEDULE_SECONDS: 'soon' }],
    ['OUTBOUND_DENY_CIDRS', { ...env, OUTBOUND_DENY_CIDRS: '10.0.0.0/99' }],
    ['OUTBOUND_PORTS', { ...env, OUTBOUND_PORTS: 'https' }],
    ['LEASE_SECONDS', { ...env, LEASE_SECONDS: '15' }],
    ['OUTBOUND_ALLOW_CIDRS', { ...production, OUTBOUND_ALLOW_CIDRS: '10.0.0.0/8' }],
    ['KEK', { ...production, KEK: Buffer.alloc(32).toString('base64') }],
  ])('names %s when its value is invalid', (name, invalid) => {
    expect(() => readConfig(config, invalid)).toThrow(new RegExp(`^${name} is not valid: `))
  })
})
