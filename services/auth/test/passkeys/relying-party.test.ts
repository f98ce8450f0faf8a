import { expect, it } from '@jest/globals'
import { relyingPartyOf } from '../../src/passkeys/relying-party.ts'

it.each([
  ['https://console.example:8443', 'console.example', ['https://console.example:8443']],
  ['http://localhost:8080', 'localhost', ['http://localhost:8080']],
  ['http://127.0.0.1:8080', 'localhost', ['http://127.0.0.1:8080', 'http://localhost:8080']],
])('the relying party of %s is a name, with the origins of its pages', (publicBaseUrl, id, origins) => {
  expect(relyingPartyOf(publicBaseUrl)).toEqual({ id, origins })
})
