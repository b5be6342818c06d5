/** The variables by which clients of models and HTTP libraries find a proxy. */
export function proxyVariables(url: string): Readonly<Record<string, string>> {
  const models = `${url}/v1`;
  // What is already meant for the proxy does not go through it again.
  const itself = new URL(url).host;
  return {
    OPENAI_BASE_URL: models,
    OPENAI_API_BASE: models,
    ANTHROPIC_BASE_URL: url,
    HTTP_PROXY: url,
    http_proxy: url,
    HTTPS_PROXY: url,
    https_proxy: url,
    NO_PROXY: itself,
    no_proxy: itself,
  };
}
