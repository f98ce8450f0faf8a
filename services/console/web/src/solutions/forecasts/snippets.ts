import type { Snippet } from '../../ui/values/code-block.tsx'

/** Returns programs that start a forecast of a data source. */
export const startSnippets = (baseUrl: string): Snippet[] => [
  {
    language: 'curl',
    code: `curl -X POST ${baseUrl}/v1/solutions/workplace/forecast/runs \\
  -H "x-api-key: $API_KEY" -H "content-type: application/json" \\
  -d '{
    "data_source_id": "'$DATA_SOURCE_ID'",
    "timestamp_field": "timestamp",
    "value_field": "arrivals",
    "frequency": "hour",
    "timezone": "Europe/Berlin",
    "horizon": 168
  }'`,
  },
  {
    language: 'TypeScript',
    code: `import { createClient } from '@workspace-platform/client'

const client = createClient({ baseUrl: '${baseUrl}', credential: { apiKey: process.env.WP_API_KEY } })
const run = await client.solutions.startForecastRun({
  body: {
    data_source_id: process.env.DATA_SOURCE_ID,
    timestamp_field: 'timestamp',
    value_field: 'arrivals',
    frequency: 'hour',
    timezone: 'Europe/Berlin',
    horizon: 168,
  },
})
console.log(run.id, run.status)`,
  },
  {
    language: 'Python',
    code: `import os, requests

response = requests.post(
    "${baseUrl}/v1/solutions/workplace/forecast/runs",
    headers={"x-api-key": os.environ["API_KEY"]},
    json={
        "data_source_id": os.environ["DATA_SOURCE_ID"],
        "timestamp_field": "timestamp",
        "value_field": "arrivals",
        "frequency": "hour",
        "timezone": "Europe/Berlin",
        "horizon": 168,
    },
)
print(response.json()["data"]["id"])`,
  },
]
