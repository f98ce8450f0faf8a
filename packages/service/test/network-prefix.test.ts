import { describe, expect, it } from '@jest/globals'
import { networkPrefix } from '../src/http/network-prefix.ts'

describe('networkPrefix', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['', ''],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['64:ff9b::1.2.3.4', '64:ff9b:0:0::/64'],
    ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, network) => expect(networkPrefix(address)).toBe(network))
})
