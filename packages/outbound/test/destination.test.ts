import { afterAll, describe, expect, it } from '@jest/globals'
import { createOutbound, parsePorts } from '../src/index.ts'
import { closeServers, failureOf, fixedLookup } from './servers.ts'

afterAll(closeServers)

const outbound = createOutbound({ lookup: fixedLookup('8.8.8.8') })

/** A lookup that would allow every name. An address literal must never reach it. */
describe('an address in a URL', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f000001', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0X7F.0.0.1', '127.0.0.1'],
    ['017700000001', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['0177.0.0.01', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['0.0.0.0', '0.0.0.0'],
    ['2852039166', '169.254.169.254'],
    ['0xa9.0xfe.0xa9.0xfe', '169.254.169.254'],
    ['%31%32%37.0.0.1', '127.0.0.1'],
    ['①②⑦.⓪.⓪.①', '127.0.0.1'],
    ['１２７.0.0.1', '127.0.0.1'],
    ['127。0。0。1', '127.0.0.1'],
    ['[::1]', '::1'],
    ['[0:0:0:0:0:0:0:1]', '::1'],
    ['[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['[::FFFF:7F00:1]', '::ffff:7f00:1'],
    ['[::127.0.0.1]', '::7f00:1'],
    ['[64:ff9b::127.0.0.1]', '64:ff9b::7f00:1'],
    ['[2002:7f00:1::]', '2002:7f00:1::'],
    ['[fd00:ec2::254]', 'fd00:ec2::254'],
    ['[FE80::1]', 'fe80::1'],
  ])('is rejected as https://%s/ (%s)', async (host, address) => {
    const failure = await failureOf(outbound.validateUrl(`https://${host}/`))
    expect(failure).toMatchObject({ kind: 'blocked_address', isAddressRejected: true, blocked: { address } })
    expect(failure.message).toContain(`${address} is not allowed`)
  })

  it.each([
    'https://[fe80::1%25eth0]/',
    'https://[fe80::1%eth0]/',
    'https://256.256.256.256/',
    'https://1.2.3.4.5/',
    'https://0x100000000/',
  ])('is rejected in the malformed URL %s', async (url) => {
    expect(await failureOf(outbound.validateUrl(url))).toMatchObject({
      kind: 'invalid_url',
      message: 'the URL is not valid',
    })
  })

  it('is accepted when it is public', async () => {
    expect(await outbound.validateUrl('https://1.1.1.1/x')).toMatchObject({ host: '1.1.1.1', addresses: ['1.1.1.1'] })
    expect(await outbound.validateUrl('https://[2606:4700::1111]/x')).toMatchObject({
      host: '2606:4700::1111',
      port: 443,
    })
  })
})

describe('a URL', () => {
  it.each([
    ['https://hooks.test/a?b=c', { host: 'hooks.test', port: 443, url: 'https://hooks.test/a?b=c' }],
    ['HTTPS://HOOKS.TEST:443/', { host: 'hooks.test', port: 443, url: 'https://hooks.test/' }],
    ['https://hooks.test.:8443/', { host: 'hooks.test', port: 8443 }],
    ['https://hooks.test:1024/', { host: 'hooks.test', port: 1024 }],
    ['https://hooks.test:65535/', { host: 'hooks.test', port: 65_535 }],
    ['https://bücher.test/', { host: 'xn--bcher-kva.test', port: 443 }],
    ['https://xn--bcher-kva.test/', { host: 'xn--bcher-kva.test', port: 443 }],
    ['https://_dmarc.hooks.test/', { host: '_dmarc.hooks.test', port: 443 }],
  ])('is accepted: %s', async (url, expected) => {
    expect(await outbound.validateUrl(url)).toEqual(expect.objectContaining(expected))
  })

  it.each([
    ['', 'the URL is not valid'],
    ['hooks.test', 'the URL is not valid'],
    ['/hook', 'the URL is not valid'],
    ['https://', 'the URL is not valid'],
    ['https://hooks .test/', 'the URL is not valid'],
    ['https://hooks.test:65536/', 'the URL is not valid'],
    ['http://hooks.test/', 'the URL must begin with https://'],
    ['ftp://hooks.test/', 'the URL must begin with https://'],
    ['file:///etc/passwd', 'the URL must begin with https://'],
    ['gopher://hooks.test/', 'the URL must begin with https://'],
    ['data:text/plain,x', 'the URL must begin with https://'],
    ['https://user@hooks.test/', 'the URL must not contain a user name or password'],
    ['https://user:secret@hooks.test/', 'the URL must not contain a user name or password'],
    ['https://:secret@hooks.test/', 'the URL must not contain a user name or password'],
    ['https://hooks.test@10.0.0.1/', 'the URL must not contain a user name or password'],
    ['https://hooks.test:0/', 'port 0 is not allowed'],
    ['https://hooks.test:22/', 'port 22 is not allowed (allowed: 443, 8443, 1024 to 65535)'],
    ['https://hooks.test:80/', 'port 80 is not allowed'],
    ['https://hooks.test:1023/', 'port 1023 is not allowed'],
    ['https://hooks..test/', 'the host name is not valid'],
    [`https://${'a'.repeat(64)}.test/`, 'the host name is not valid'],
    [`https://${'a.'.repeat(130)}test/`, 'the host name is not valid'],
  ])('is rejected: %s, %s', async (url, message) => {
    const failure = await failureOf(outbound.validateUrl(url))
    expect(failure).toMatchObject({ kind: 'invalid_url', isAddressRejected: true })
    expect(failure.message).toContain(message)
    expect(failure.message).not.toContain('secret')
  })

  it('may have the scheme http: and port 80 only when the caller allows it', async () => {
    const protocols = ['https:', 'http:'] as const
    expect(await outbound.validateUrl('http://hooks.test/', { protocols })).toMatchObject({ port: 80 })
    expect((await failureOf(outbound.validateUrl('http://hooks.test:25/', { protocols }))).message).toContain('port 25')
    expect((await failureOf(outbound.validateUrl('ftp://hooks.test/', { protocols }))).message).toBe(
      'the URL must begin with https:// or http://',
    )
    expect((await failureOf(outbound.request({ url: 'http://hooks.test/' }))).kind).toBe('invalid_url')
  })

  it('must have a configured port', async () => {
    const strict = createOutbound({ lookup: fixedLookup('8.8.8.8'), ports: parsePorts('443,9000-9010') })
    expect(await strict.validateUrl('https://hooks.test:9010/')).toMatchObject({ port: 9010 })
    expect((await failureOf(strict.validateUrl('https://hooks.test:8443/'))).message).toContain(
      'allowed: 443, 9000 to 9010',
    )
  })
})

describe('a name that does not resolve', () => {
  it('is accepted by validateUrl', async () => {
    const lookup = async () => Promise.reject(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))
    const validated = await createOutbound({ lookup }).validateUrl('https://soon.test/')
    expect(validated).toEqual({ url: 'https://soon.test/', host: 'soon.test', port: 443, addresses: [] })
    expect((await createOutbound({ lookup: fixedLookup() }).validateUrl('https://soon.test/')).addresses).toEqual([])
  })
})

describe('parsePorts', () => {
  it('parses ports and ranges', () => {
    expect(parsePorts('443, 8443 1024-65535')).toEqual([
      { from: 443, to: 443 },
      { from: 8443, to: 8443 },
      { from: 1024, to: 65_535 },
    ])
  })

  it.each(['0', '65536', '5-4', '1-', '-1', 'https', '443-x', '1e3'])('rejects %s', (entry) => {
    expect(() => parsePorts(`443,${entry}`)).toThrow(`"${entry}" is not a port`)
  })
})
