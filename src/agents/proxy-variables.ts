/** The variables by which clients of OpenAI, Anthropic and Gemini find a server of models. */
function modelVariables(url: string): Readonly<Record<string, string>> {
  const models = `${url}/v1`;
  return { OPENAI_BASE_URL: models, OPENAI_API_BASE: models, ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url };
}

/** What a program is told of a model that passk answers for, at an address that ends with `/v1`. `own`: variables it has already. */
export function servedModelVariables(
  modelUrl: string,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  // Clients start with no key at all, and this one opens nothing.
  const keys = { OPENAI_API_KEY: 'passk', ANTHROPIC_API_KEY: 'passk', GEMINI_API_KEY: 'passk' };
  return { ...keys, ...own, PASSK_MODEL_URL: modelUrl, ...modelVariables(modelUrl.replace(/\/v1$/, '')) };
}

/** The variables by which clients of models and HTTP libraries find a proxy. */
export function proxyVariables(url: string): Readonly<Record<string, string>> {
  // What is already meant for the proxy does not go through it again.
  const itself = new URL(url).host;
  return {
    ...modelVariables(url),
    HTTP_PROXY: url,
    http_proxy: url,
    HTTPS_PROXY: url,
    https_proxy: url,
    NO_PROXY: itself,
    no_proxy: itself,
  };
}
