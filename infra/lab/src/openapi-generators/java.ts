import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
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

const base = 'com.example.platform'

/**
 * The templates of `jersey3` know bodies that are a list or an object; those of the other libraries write them as code
 * that does not compile. A number is a `double`, because the constants of `BigDecimal` do not compile either.
 */
const options = [
  ...['-g', 'java', '--library', 'jersey3', '--type-mappings', 'number=Double'],
  ...['--invoker-package', base, '--api-package', `${base}.api`, '--model-package', `${base}.model`],
  ...['--additional-properties', 'openApiNullable=false'],
]

export const javaGenerator: Generator = {
  name: 'openapi-generator (Java)',
  async run(input) {
    await installStep('javac', ['-version'])
    const folder = join(input.folder, 'java')
    const generated = await generateClient(input, folder, options)
    await installStep('mvn', ['-q', '-B', 'dependency:build-classpath', '-Dmdep.outputFile=classpath'], { cwd: folder })
    const libraries = await readFile(join(folder, 'classpath'), 'utf8')
    const files = (await readdir(join(folder, 'src/main'), { recursive: true })).filter((file) =>
      file.endsWith('.java'),
    )
    await mkdir(join(folder, 'calls'), { recursive: true })
    await writeFile(join(folder, 'calls/Calls.java'), javaProgram)
    await writeFile(
      join(folder, 'sources'),
      [...files.map((file) => `src/main/${file}`), 'calls/Calls.java'].join('\n'),
    )
    const compiled = await runProgram('javac', ['-nowarn', '-proc:none', '-d', 'out', '-cp', libraries, '@sources'], {
      cwd: folder,
    })
    const result = {
      name: this.name,
      version: openApiGeneratorVersion,
      generated: `${files.length} files`,
      compiled: compiled.exitCode === 0 ? 'yes' : 'no',
    }
    if (compiled.exitCode !== 0) return { ...result, calls: [], failure: lastLines(generated.errors + compiled.errors) }
    return { ...result, ...(await callPlatform(input, folder, 'java', ['-cp', `out:${libraries}`, 'Calls'])) }
  },
}

/** Calls the platform with the Java client of openapi-generator. */
const javaProgram = `
import com.example.platform.ApiClient;
import com.example.platform.ApiException;
import com.example.platform.api.AuthApi;
import com.example.platform.api.DataApi;
import com.example.platform.model.*;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.util.List;
import java.util.Map;

public class Calls {
  private static JsonNode own;

  private static ApiClient client() {
    return new ApiClient().setBasePath(own.get("baseUrl").textValue());
  }

  private static void exchange(String name, ApiClient client, AuthExchangeTokenRequest form) throws ApiException {
    // The generated code takes the first alternative, which has the members of the second, too.
    SessionTokenResponse answer = new AuthApi(client).authExchangeToken(form).getSessionTokenResponse();
    String token = answer.getData() == null ? answer.getAccessToken() : answer.getData().getAccessToken();
    if (token.split("\\\\.").length != 3) throw new IllegalStateException(name + " has no access token");
    System.out.println(name);
  }

  private static AuthorizationCodeForm codeForm(JsonNode code) {
    return new AuthorizationCodeForm()
        .grantType(AuthorizationCodeForm.GrantTypeEnum.AUTHORIZATION_CODE)
        .code(code.get("code").textValue())
        .redirectUri(code.get("redirectUri").textValue())
        .clientId(code.get("clientId").textValue())
        .codeVerifier(code.get("codeVerifier").textValue());
  }

  public static void main(String[] arguments) throws Exception {
    own = new ObjectMapper().readTree(new File("credentials.json"));
    ApiClient client = client();
    client.setApiKey(own.get("apiKey").textValue());
    DataApi data = new DataApi(client);

    CreateUploadSource body = new CreateUploadSource()
        .name("Java")
        .provider(CreateUploadSource.ProviderEnum.UPLOAD)
        .config(new UploadConfigInput().key("id"));
    String id = data.dataCreateSource(new CreateDataSource(body), null, null).getData().getDataSourceId();
    System.out.println("create source");
    DataUploadRecordsRequest rows = new DataUploadRecordsRequest(List.of(Map.of("id", "a", "text", "a quiet library")));
    data.dataUploadRecords(id, rows, null, null, null, null, null, null, null);
    System.out.println("upload records");
    SearchHitPage found = data.dataSearch(null, null, id, null, null, null, null, "library", null, null, null);
    if (!found.getData().get(0).getKey().equals("a")) throw new IllegalStateException("the record was not found");
    System.out.println("search");

    String clientId = own.get("clientId").textValue();
    String clientSecret = own.get("clientSecret").textValue();
    ClientCredentialsForm principal = new ClientCredentialsForm().clientId(clientId).clientSecret(clientSecret);
    exchange("token A, JSON", client(), new AuthExchangeTokenRequest(principal));
    ApiClient basic = client();
    basic.setUsername(clientId);
    basic.setPassword(clientSecret);
    ClientCredentialsForm grant = new ClientCredentialsForm()
        .grantType(ClientCredentialsForm.GrantTypeEnum.CLIENT_CREDENTIALS);
    exchange("token A, Basic", basic, new AuthExchangeTokenRequest(grant));
    RefreshTokenForm refresh = new RefreshTokenForm().refreshToken(own.get("refreshTokens").get(0).textValue());
    exchange("token B, JSON", client(), new AuthExchangeTokenRequest(refresh));
    exchange("token C, JSON", client(), new AuthExchangeTokenRequest(codeForm(own.get("codes").get(0))));
  }
}
`
