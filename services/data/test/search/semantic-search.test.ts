import { afterAll } from '@jest/globals'
import { startSemanticFleet } from '../support/semantic-fleet.ts'
import { describeSemanticSearch } from './contract/semantic-search.ts'

const test = await startSemanticFleet()
afterAll(() => test.stop())

describeSemanticSearch(() => test)
