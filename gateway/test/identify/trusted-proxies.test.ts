import { describe, expect, it } from '@jest/globals'
import { readConfig } from '@wp/service'
import { config } from '../../src/config.ts'

const env = {
  PORT: '8080',
  ADMIN_PORT: '8081',
  PUBLIC_BASE_URL: 'https://api.example.com',
  SHARD: 'one',
  LOCATION: 'EU',
  UPSTREAM: 'http://{service}:8080',
  ASSERTION_KEY_FILE: '/keys/assertion-key.json',
  ASSERTION_KEYS_FILE: '/keys/assertion-keys.json',
  NATS_URL: 'nats://nats:4222',
}
const read = (more: Record<string, string> = {}) => readConfig(config, { ...env, ...more })

describe('TRUSTED_PROXIES', () => {
  it.each([
    '10.0.0.0/8',
    '172.16.0.0/12',
    '0.0.0.0/0',
    '::/0',
    'fc00::/7',
    '::ffff:10.0.0.0/104',
    '10.1.2.3,10.0.0.0/8',
  ])('may not be %s, which contains clients too', (wide) => {
    expect(() => read({ TRUSTED_PROXIES: wide })).toThrow(
      /TRUSTED_PROXIES is not valid: must not contain .+\/\d+: name/,
    )
  })

  it.each([
    '10.244.7.0/24',
    '10.1.2.3, 10.1.2.4',
    '104.16.0.0/13',
    '2a06:98c0::/29',
    '::ffff:10.1.2.0/120',
    '2001:db8::1',
  ])('may be %s', (narrow) => {
    expect(read({ ENVIRONMENT: 'production', TRUSTED_PROXIES: narrow }).TRUSTED_PROXIES.rules).not.toEqual([])
  })

  it.each(['production', 'sandbox'])('is required in %s', (ENVIRONMENT) => {
    expect(() => read({ ENVIRONMENT })).toThrow('TRUSTED_PROXIES is not valid: must name the load balancers')
    expect(read({ ENVIRONMENT: 'development' }).TRUSTED_PROXIES.rules).toEqual([])
  })
})
