import { afterAll, beforeAll } from '@jest/globals'
import { type DataService, startDataService } from '../support/service.ts'
import { describeLexicalSearch } from './contract/lexical-search.ts'

let service: DataService
beforeAll(async () => {
  service = await startDataService()
})
afterAll(() => service.stop())

describeLexicalSearch(() => service)
