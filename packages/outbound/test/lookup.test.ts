import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from '@jest/globals'
import { createLookup } from '../src/address/lookup.ts'
import { dnsServer } from './dns-server.ts'

const folder = await mkdtemp(join(tmpdir(), 'outbound-'))
const dns = await dnsServer({
  'both.test': ['192.0.2.7', '2001:db8::7', '192.0.2.8'],
  'four.test': ['192.0.2.4'],
  'six.test': ['2001:db8::6'],
  'empty.test': [],
  'failing.test': 'failing',
  'silent.test': 'silent',
  'listed.test': ['192.0.2.99'],
  localhost: ['192.0.2.99'],
})

afterAll(async () => {
  dns.close()
  await rm(folder, { recursive: true })
})

const noHosts = () => join(folder, 'none')
const lookup = (hostname: string, timeoutMs = 10_000) =>
  createLookup({ servers: [dns.server], hostsFile: noHosts(), timeoutMs })(hostname)
const codeFrom = (work: Promise<unknown>) =>
  work.then(
    () => 'resolved',
    (error: { code?: string }) => error.code,
  )

describe('the default lookup', () => {
  it('finds every address of both families, IPv4 first', async () => {
    expect(await lookup('both.test')).toEqual([
      { address: '192.0.2.7', family: 4 },
      { address: '192.0.2.8', family: 4 },
      { address: '2001:db8::7', family: 6 },
    ])
    expect(await lookup('four.test')).toEqual([{ address: '192.0.2.4', family: 4 }])
    expect(await lookup('six.test')).toEqual([{ address: '2001:db8::6', family: 6 }])
  })

  it('rejects with the reason when there is no address', async () => {
    expect(await codeFrom(lookup('missing.test'))).toBe('ENOTFOUND')
    expect(await codeFrom(lookup('empty.test'))).toBe('ENODATA')
    expect(await codeFrom(lookup('failing.test'))).toBe('ESERVFAIL')
    expect(await codeFrom(lookup('silent.test', 100))).toBe('ETIMEOUT')
  })

  it('queries the name without search domains', async () => {
    dns.queries.length = 0
    expect(await codeFrom(lookup('redis'))).toBe('ENOTFOUND')
    expect(new Set(dns.queries)).toEqual(new Set(['redis']))
  })

  it('is not delayed by names whose servers do not respond', async () => {
    const slowLookup = createLookup({ servers: [dns.server], hostsFile: noHosts(), timeoutMs: 3_000 })
    let unanswered = 50
    const failed = Array.from({ length: unanswered }, () =>
      codeFrom(slowLookup('silent.test')).finally(() => {
        unanswered -= 1
      }),
    )
    for (let round = 0; round < 10; round++) await slowLookup('four.test')
    expect(unanswered).toBe(50)
    expect(new Set(await Promise.all(failed))).toEqual(new Set(['ETIMEOUT']))
  })

  it('reads the hosts file first', async () => {
    const hostsFile = join(folder, 'hosts')
    await writeFile(
      hostsFile,
      '# listed.test\n127.0.0.5\tother.test Listed.test # comment\n::5 listed.test\nnonsense listed.test\n',
    )
    const withHosts = createLookup({ servers: [dns.server], hostsFile })
    expect(await withHosts('listed.test')).toEqual([
      { address: '127.0.0.5', family: 4 },
      { address: '::5', family: 6 },
    ])
    expect(await withHosts('four.test')).toEqual([{ address: '192.0.2.4', family: 4 }])
  })

  it('resolves localhost without a query', async () => {
    dns.queries.length = 0
    const loopback = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]
    expect(await lookup('localhost')).toEqual(loopback)
    expect(await lookup('hooks.localhost')).toEqual(loopback)
    expect(dns.queries).toEqual([])
  })
})
