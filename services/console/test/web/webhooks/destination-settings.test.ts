import { describe, expect, it } from '@jest/globals'
import { destinationTypes, NewDestinationConfig } from '@wp/contracts'
import { configFields, toConfig, toTexts } from '../../../web/src/webhooks/destinations/config-fields.ts'
import { type DestinationView, placeOf, stateOf } from '../../../web/src/webhooks/destinations/destination-words.ts'

const stored: DestinationView['config'][] = [
  { type: 's3', endpoint: null, region: 'eu-central-1', bucket: 'archive', prefix: 'audit/', access_key_id: 'AK' },
  {
    type: 'kafka',
    brokers: ['a.example.com:9093', 'b.example.com:9093'],
    topic: 'audit',
    mechanism: 'PLAIN',
    username: 'platform',
  },
  { type: 'splunk_hec', url: 'https://splunk.example.com:8088', index: 'main', source: null, sourcetype: null },
  { type: 'datadog', url: 'https://http-intake.logs.datadoghq.eu/', service: null, tags: 'env:production' },
  { type: 'http', url: 'https://logs.example.com/in', body: 'array', headers: { authorization: '********' } },
]

describe('the settings of an event destination in a form', () => {
  it('have every member of every type', () => {
    for (const type of destinationTypes) {
      const schema = NewDestinationConfig.options.find(({ shape }) => shape.type.value === type)
      const members = Object.keys(schema?.shape ?? {}).filter((name) => name !== 'type' && name !== 'headers')
      expect([type, configFields[type].map(({ name }) => name).toSorted()]).toEqual([type, members.toSorted()])
    }
  })

  it.each(stored.map((config) => [config.type, config] as const))(
    'are sent as they are stored if nothing changes: %s',
    (type, config) => {
      const { headers: _masked, ...shown } = { headers: undefined, ...config }
      const sent = toConfig(type, toTexts(type, config), undefined)
      expect(JSON.parse(JSON.stringify(sent))).toEqual(shown)
      expect(NewDestinationConfig.safeParse(sent).error).toBeUndefined()
    },
  )

  it('have no user and password once the mechanism is none', () => {
    const texts = { ...toTexts('kafka', stored[1]), mechanism: '', password: 'secret' }
    expect(toConfig('kafka', texts, undefined)).toMatchObject({ mechanism: null, username: null, password: undefined })
  })

  it('have all header fields that are entered', () => {
    const headers = [{ key: 0, name: 'authorization', value: 'Bearer a', isStored: false }]
    expect(toConfig('http', toTexts('http'), headers)).toMatchObject({ headers: { authorization: 'Bearer a' } })
  })

  it('name the place without an id', () => {
    expect(stored.map(placeOf)).toEqual([
      'S3 bucket archive',
      'Kafka topic audit',
      'Splunk at splunk.example.com:8088',
      'Datadog at http-intake.logs.datadoghq.eu',
      'HTTP to logs.example.com',
    ])
  })
})

describe('the state of an event destination', () => {
  const at = '2026-11-29T04:00:00.000Z'
  it.each([
    ['active', 'active', 'healthy', at],
    ['nothing_written', 'active', 'healthy', null],
    ['retrying', 'active', 'failing', at],
    ['retrying', 'active', 'failing', null],
    ['disabled', 'disabled', 'disabled', at],
  ] as const)(
    'is %s when the status is %s, the health is %s and the last success was at %s',
    (word, status, state, success) => {
      const health = { state, last_success_at: success } as DestinationView['health'] // the members that are read
      expect(stateOf({ status, health })).toBe(word)
    },
  )
})
