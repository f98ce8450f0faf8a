import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Generator } from './generator.ts'
import {
  callPlatform,
  generateClient,
  installStep,
  lastLines,
  openApiGeneratorVersion,
  runProgram,
} from './run-program.ts'

/** The optional field `secret` gets a method `HasSecret`, which would be the name of the field `has_secret` too. */
const nameMappings = 'has_secret=hasSigningSecret'

export const goGenerator: Generator = {
  name: 'openapi-generator (Go)',
  async run(input) {
    await installStep('go', ['version'])
    const folder = join(input.folder, 'go')
    const generated = await generateClient(input, folder, [
      ...['-g', 'go', '--package-name', 'platform', '--git-user-id', 'example', '--git-repo-id', 'platform'],
      ...['--name-mappings', nameMappings],
      ...['--additional-properties', 'withGoMod=true,disallowAdditionalPropertiesIfNotPresent=false'],
    ])
    await mkdir(join(folder, 'calls'), { recursive: true })
    await writeFile(join(folder, 'calls/main.go'), goProgram)
    await installStep('go', ['mod', 'tidy'], { cwd: folder })
    const compiled = await runProgram('go', ['build', './...'], { cwd: folder })
    const files = await readdir(folder)
    const result = {
      name: this.name,
      version: openApiGeneratorVersion,
      generated: `${files.filter((file) => file.endsWith('.go')).length} files`,
      compiled: compiled.exitCode === 0 ? 'yes' : 'no',
    }
    if (compiled.exitCode !== 0) return { ...result, calls: [], failure: lastLines(generated.errors + compiled.errors) }
    return { ...result, ...(await callPlatform(input, folder, 'go', ['run', './calls'])) }
  },
}

/** Calls the platform with the Go client of openapi-generator. */
const goProgram = `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	platform "github.com/example/platform"
)

type code struct{ Code, RedirectUri, ClientId, CodeVerifier string }

type credentials struct {
	BaseUrl, ApiKey, ClientId, ClientSecret string
	RefreshTokens                           []string
	Codes                                   []code
}

func check(name string, err error) {
	if err == nil {
		fmt.Println(name)
		return
	}
	detail := err.Error()
	if failure, ok := err.(*platform.GenericOpenAPIError); ok {
		detail += " " + string(failure.Body())
	}
	fmt.Fprintln(os.Stderr, name+": "+detail)
	os.Exit(1)
}

func main() {
	var own credentials
	text, err := os.ReadFile("credentials.json")
	if err == nil {
		err = json.Unmarshal(text, &own)
	}
	if err != nil {
		panic(err)
	}
	configuration := platform.NewConfiguration()
	configuration.Servers = platform.ServerConfigurations{{URL: own.BaseUrl}}
	client := platform.NewAPIClient(configuration)
	keys := map[string]platform.APIKey{"apiKey": {Key: own.ApiKey}}
	authenticated := context.WithValue(context.Background(), platform.ContextAPIKeys, keys)

	body := platform.NewCreateUploadSource("Go", "upload")
	// The generated code reads no empty object where a schema has alternatives.
	config := platform.NewUploadConfigInput()
	config.SetKey("id")
	body.SetConfig(*config)
	source, _, err := client.DataAPI.DataCreateSource(authenticated).CreateDataSource(platform.CreateUploadSourceAsCreateDataSource(body)).Execute()
	check("create source", err)
	id := source.Data.DataSourceId
	rows := []map[string]interface{}{{"id": "a", "text": "a quiet library"}}
	upload := platform.DataUploadRecordsRequest{ArrayOfMapmapOfStringAny: &rows}
	_, _, err = client.DataAPI.DataUploadRecords(authenticated, id).DataUploadRecordsRequest(upload).Execute()
	check("upload records", err)
	found, _, err := client.DataAPI.DataSearch(authenticated).Q("library").DataSourceId(id).Execute()
	check("search", err)
	if len(found.Data) != 1 {
		check("search", fmt.Errorf("the record was not found"))
	}

	clientForm := platform.NewClientCredentialsForm()
	clientForm.SetClientId(own.ClientId)
	clientForm.SetClientSecret(own.ClientSecret)
	codes := own.Codes[0]
	codeForm := platform.NewAuthorizationCodeForm(codes.Code, codes.RedirectUri, codes.CodeVerifier, codes.ClientId)
	basicForm := platform.NewClientCredentialsForm()
	basicForm.SetGrantType("client_credentials")
	basic := context.WithValue(context.Background(), platform.ContextBasicAuth, platform.BasicAuth{UserName: own.ClientId, Password: own.ClientSecret})
	exchange := func(name string, ctx context.Context, form platform.AuthExchangeTokenRequest) {
		answer, _, err := client.AuthAPI.AuthExchangeToken(ctx).AuthExchangeTokenRequest(form).Execute()
		check(name, err)
		encoded, err := json.Marshal(answer)
		if err != nil || !strings.Contains(string(encoded), "\\"access_token\\"") {
			check(name, fmt.Errorf("no access token"))
		}
	}
	exchange("token A, JSON", context.Background(), platform.ClientCredentialsFormAsAuthExchangeTokenRequest(clientForm))
	exchange("token A, Basic", basic, platform.ClientCredentialsFormAsAuthExchangeTokenRequest(basicForm))
	exchange("token B, JSON", context.Background(), platform.RefreshTokenFormAsAuthExchangeTokenRequest(platform.NewRefreshTokenForm(own.RefreshTokens[0])))
	exchange("token C, JSON", context.Background(), platform.AuthorizationCodeFormAsAuthExchangeTokenRequest(codeForm))
}
`
