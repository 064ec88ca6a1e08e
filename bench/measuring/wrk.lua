-- Arguments: a path, then names and values of headers. In each of them `{any}` is another 32 digits in each request, and each
-- request comes from an address of its own.
local path
local headers = {}

local function any()
  local digits = ''
  for _ = 1, 4 do
    digits = digits .. string.format('%08x', math.random(0, 2 ^ 31 - 1))
  end
  return digits
end

function init(given)
  math.randomseed(os.time())
  path = given[1]
  for at = 2, #given, 2 do
    headers[given[at]] = given[at + 1]
  end
end

function request()
  local sent = { ['x-forwarded-for'] = string.format('10.%d.%d.%d', math.random(0, 255), math.random(0, 255), math.random(0, 255)) }
  for name, value in pairs(headers) do
    sent[name] = string.gsub(value, '{any}', any)
  end
  return wrk.format('GET', (string.gsub(path, '{any}', any)), sent)
end
