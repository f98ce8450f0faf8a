import type { Snippet } from '../ui/data/code-block.tsx'

/** Returns programs that set a variable. */
export const variableSnippets = (baseUrl: string): Snippet[] => [
  {
    language: 'curl',
    code: `curl -sS ${baseUrl}/v1/system/workspace/variables \\
  -H "x-api-key: $PLATFORM_API_KEY" -H 'content-type: application/json' \\
  -d '{"name":"ESCALATION_MAIL","value":"facility@example.com"}'`,
  },
  {
    language: 'TypeScript',
    code: `import { createClient } from '@workspace-platform/client'

const client = createClient({
  baseUrl: '${baseUrl}',
  credential: { apiKey: process.env.PLATFORM_API_KEY ?? '' },
})

await client.system.putVariable({
  body: { name: 'ESCALATION_MAIL', value: 'facility@example.com' },
})`,
  },
  {
    language: 'Python',
    code: `import json, os, urllib.request

body = json.dumps({"name": "ESCALATION_MAIL", "value": "facility@example.com"}).encode()
request = urllib.request.Request(
    "${baseUrl}/v1/system/workspace/variables",
    body,
    {"x-api-key": os.environ["PLATFORM_API_KEY"], "content-type": "application/json"},
)
print(json.load(urllib.request.urlopen(request)))`,
  },
]
