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

describe('CELLS', () => {
  it('is empty by default', () => {
    expect([allShards(read('')), cellBrokerSettings(read(''))]).toEqual([['one'], []])
  })

  it('gives each cell the addresses of its broker and the stream settings of the own cell', () => {
    const config = read('two=nats://two:4222; three=nats://a:4222,nats://b:4222')
    expect(allShards(config)).toEqual(['one', 'two', 'three'])
    const stream = { replicas: 3, maxBytes: 1_073_741_824 }
    expect(cellBrokerSettings(config)).toEqual([
      { shard: 'two', servers: 'nats://two:4222', stream },
      { shard: 'three', servers: 'nats://a:4222,nats://b:4222', stream },
    ])
  })

  it.each(['two', 'two=', '=nats://two', 'Two=nats://two', 'two=nats://a;two=nats://b', 'two=a b'])(
    'is rejected when it is %j',
    (cells) => {
      expect(() => read(cells)).toThrow('CELLS is not valid: must be shard=address of its broker')
    },
  )
})

describe('servedShards', () => {
  const config: ProcessConfig = readConfig(z.object(processConfig), {
    PORT: '0',
    PUBLIC_BASE_URL: 'http://localhost',
    SHARD: 'one',
    LOCATION: 'EU',
    ASSERTION_KEY_FILE: 'a',
    ASSERTION_KEYS_FILE: 'b',
  })
  const env = { CELLS: 'two=nats://two' }

  it('returns all known shards for a global service, and the own shard for any other', () => {
    expect(servedShards('auth', config, env)).toEqual(['one', 'two'])
    expect(servedShards('auth', config, {})).toEqual(['one'])
    expect(servedShards('data', config, env)).toEqual(['one'])
  })
})

describe('the address of a global service', () => {
  it('is in the home cell, whichever cell asks for it', () => {
    const config = { UPSTREAM: 'http://{service}.{shard}', UPSTREAM_OVERRIDES: {} }
    const upstreams = createUpstreams({ ...config, SHARD: 'two', HOME_SHARD: 'one' })
    expect([upstreams.addressOf('auth', 'two'), upstreams.addressOf('data', 'two')]).toEqual([
      'http://auth.one',
      'http://data.two',
    ])
  })
})
