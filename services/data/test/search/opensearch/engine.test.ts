import { afterAll, beforeAll } from '@jest/globals'
import { type SearchCluster, startSearchCluster } from '@wp/testkit'
import {
  buildIndex,
  describeWithOpenSearch,
  engineEnvironment,
  settleIndex,
  startServiceWithOpenSearch,
} from '../../support/searching-service.ts'
import { type SemanticFleet, startSemanticFleet } from '../../support/semantic-fleet.ts'
import type { DataService } from '../../support/service.ts'
import { describeEqualAnswers } from '../contract/engine-answers.ts'
import { describeExactWords } from '../contract/exact-words.ts'
import { describeLexicalSearch } from '../contract/lexical-search.ts'
import { describeResultPages } from '../contract/result-pages.ts'
import { describeSemanticSearch } from '../contract/semantic-search.ts'
import { describeIndexing } from './indexing.ts'
import { describeTenants } from './tenants.ts'
import { describeUnavailable } from './unavailable.ts'

describeWithOpenSearch()('OpenSearch', () => {
  let cluster: SearchCluster
  let service: DataService
  let fleet: SemanticFleet
  beforeAll(async () => {
    cluster = await startSearchCluster()
    service = await startServiceWithOpenSearch(cluster)
    fleet = await startSemanticFleet({ env: engineEnvironment(cluster), settle: settleIndex })
    await buildIndex(fleet.fleet.env('data'))
  })
  afterAll(async () => {
    await fleet?.stop()
    await service?.stop()
    await cluster?.stop()
  })

  describeLexicalSearch(() => service)
  describeExactWords(() => service)
  describeResultPages(() => service)
  // More than the 1,000 nearest neighbours of a query.
  describeSemanticSearch(() => fleet, 1_100)
  describeEqualAnswers(() => service)
  describeTenants(() => service)
  describeIndexing(() => cluster)
  // The last one, because it kills the node.
  describeUnavailable(() => ({ cluster, service }))
})
