import { afterAll, beforeAll } from '@jest/globals'
import { type DataService, startDataService } from '../support/service.ts'
import { describeExactWords } from './contract/exact-words.ts'
import { describeLexicalSearch } from './contract/lexical-search.ts'
import { describeResultPages } from './contract/result-pages.ts'

let service: DataService
beforeAll(async () => {
  service = await startDataService()
})
afterAll(() => service.stop())

describeLexicalSearch(() => service)
describeExactWords(() => service)
describeResultPages(() => service)
