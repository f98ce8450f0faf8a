import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { openSearchImage } from '@wp/testkit'
import { canReach } from '../src/check/network-reachability.ts'
import { render } from '../src/check/render.ts'
import { ports } from '../src/manifests/manifest.ts'

const root = join(import.meta.dirname, '../../..')

describe('the second search engine', () => {
  it('has the version that the tests run', () => {
    for (const file of ['docker-compose.yml', 'k8s/components/opensearch/opensearch.yaml'])
      expect(readFileSync(join(root, file), 'utf8')).toContain(`image: ${openSearchImage()}\n`)
  })

  it('is reached by the data service, which knows all its nodes, and by no other', async () => {
    const manifests = await render(join(import.meta.dirname, 'fixture/extensions'))
    const pod = (name: string) => ({ namespace: 'wp-one', labels: { 'app.kubernetes.io/name': name } })
    const reaches = (name: string) => canReach(manifests, pod(name), pod('opensearch'), ports.opensearch)
    expect(['data', 'ai', 'gateway'].map(reaches)).toEqual([true, false, false])
    const deployment = manifests.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'data')
    expect(JSON.stringify(deployment)).toContain('{"name":"SEARCH_ENGINE","value":"opensearch"}')
    for (const node of [0, 1, 2])
      expect(JSON.stringify(deployment)).toContain(`http://opensearch-${node}.opensearch:9200`)
    // Its own variables remain.
    expect(JSON.stringify(deployment)).toContain('"DATABASE_URL"')
  })
})
