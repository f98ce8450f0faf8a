import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import {
  allShards,
  brokerConfig,
  cellBrokerSettings,
  cellsConfig,
  createUpstreams,
  type ProcessConfig,
  processConfig,
  readConfig,
  servedShards,
} from '../src/index.ts'

const schema = z.object({ SHARD: processConfig.SHARD, ...brokerConfig, ...cellsConfig })
const read = (CELLS: string) =>
  readConfig(schema, { SHARD: 'one', NATS_URL: 'nats://home', STREAM_REPLICAS: '3', CELLS })

describe('the other cells', () => {
  it('are none unless they are named', () => {
    expect([allShards(read('')), cellBrokerSettings(read(''))]).toEqual([['one'], []])
  })

  it('have a broker each, of one address or several, and streams as at home', () => {
    const config = read('two=nats://two:4222; three=nats://a:4222,nats://b:4222')
    expect(allShards(config)).toEqual(['one', 'two', 'three'])
    const stream = { replicas: 3, maxBytes: 1_073_741_824 }
    expect(cellBrokerSettings(config)).toEqual([
      { shard: 'two', servers: 'nats://two:4222', stream },
      { shard: 'three', servers: 'nats://a:4222,nats://b:4222', stream },
    ])
  })

  it.each(['two', 'two=', '=nats://two', 'Two=nats://two', 'two=nats://a;two=nats://b', 'two=a b'])(
    'are refused when they are written as %j',
    (cells) => {
      expect(() => read(cells)).toThrow('CELLS is not valid: must be shard=address of its broker')
    },
  )
})

describe('the shards that are served', () => {
  const config: ProcessConfig = readConfig(z.object(processConfig), {
    PORT: '0',
    PUBLIC_BASE_URL: 'http://localhost',
    SHARD: 'one',
    LOCATION: 'EU',
    ASSERTION_KEY_FILE: 'a',
    ASSERTION_KEYS_FILE: 'b',
  })
  const env = { CELLS: 'two=nats://two' }

  it('are those it was told of for a global service, its own for any other', () => {
    expect(servedShards('auth', config, env)).toEqual(['one', 'two'])
    expect(servedShards('auth', config, {})).toEqual(['one'])
    expect(servedShards('data', config, env)).toEqual(['one'])
  })
})

describe('the address of a global service', () => {
  it('is in the cell of all global ones, asked for from whichever cell', () => {
    const config = { UPSTREAM: 'http://{service}.{shard}', UPSTREAM_OVERRIDES: {} }
    const upstreams = createUpstreams({ ...config, SHARD: 'two', HOME_SHARD: 'one' })
    expect([upstreams.addressOf('auth', 'two'), upstreams.addressOf('data', 'two')]).toEqual([
      'http://auth.one',
      'http://data.two',
    ])
  })
})
