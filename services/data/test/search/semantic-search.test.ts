import { afterAll, beforeAll } from '@jest/globals'
import { type SemanticFleet, startSemanticFleet } from '../support/semantic-fleet.ts'
import { describeSemanticSearch } from './contract/semantic-search.ts'

let test: SemanticFleet
beforeAll(async () => {
  test = await startSemanticFleet()
})
afterAll(() => test.stop())

describeSemanticSearch(() => test)
