import { afterAll } from '@jest/globals'
import { startDataService } from '../support/service.ts'
import { describeExactWords } from './contract/exact-words.ts'
import { describeLexicalSearch } from './contract/lexical-search.ts'
import { describeResultPages } from './contract/result-pages.ts'

const service = await startDataService()
afterAll(() => service.stop())

describeLexicalSearch(() => service)
describeExactWords(() => service)
describeResultPages(() => service)
