// Tunes a made-up timeout by a service, 50 plays: tune [URL [TOKEN]]
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"math"
	"net/http"
	"os"
	"time"

	"keyhole/openapi"
)

// again makes a call until it is answered, for ten seconds. All calls below may be made twice.
func again(call func() (*http.Response, error)) {
	end := time.Now().Add(10 * time.Second)
	for pause := 20 * time.Millisecond; ; pause = 2 * pause {
		response, err := call()
		if err == nil {
			return
		}
		var answer openapi.GenericOpenAPIError
		answered := errors.As(err, &answer)
		notNow := !answered || response.StatusCode == 503 || response.StatusCode == 429
		if !notNow || time.Now().After(end) {
			log.Fatalf("%v %s", err, answer.Body()) // the body says what to do
		}
		time.Sleep(pause)
	}
}

func main() {
	configuration := openapi.NewConfiguration()
	configuration.HTTPClient = &http.Client{Timeout: 60 * time.Second}
	ctx := context.Background()
	if len(os.Args) > 1 {
		configuration.Servers[0].URL = os.Args[1]
	}
	if len(os.Args) > 2 {
		ctx = context.WithValue(ctx, openapi.ContextAccessToken, os.Args[2])
	}
	client := openapi.NewAPIClient(configuration)

	timeout := openapi.NewSpaceParameters("timeout")
	timeout.SetType("number")
	timeout.SetFrom(5)
	timeout.SetTo(500)
	description := openapi.NewCreateStudyBody("cache-go")
	description.SetSpace(*openapi.NewSpace([]openapi.SpaceParameters{*timeout}))
	description.SetStart(map[string]interface{}{"timeout": 50})
	again(func() (*http.Response, error) {
		_, response, err := client.StudiesApi.CreateStudy(ctx).CreateStudyBody(*description).Execute()
		return response, err
	})

	worker := openapi.NewAskBody()
	worker.SetWorker("w1") // by its name it gets its play again if an answer was lost
	for round := 0; round < 50; round++ {
		var asked openapi.AskAnswer
		again(func() (response *http.Response, err error) {
			asked, response, err = client.PlaysApi.Ask(ctx, "cache-go").AskBody(*worker).Execute()
			return
		})
		play := asked.Plays[0]
		values := play.GetValues()
		loss := math.Pow(values["timeout"].(float64)/100-2, 2) // run it, and measure
		tell := openapi.NewTell(play.Play)
		tell.SetLoss(loss)
		body := openapi.NewTellBody()
		body.SetTells([]openapi.Tell{*tell})
		again(func() (*http.Response, error) {
			_, response, err := client.PlaysApi.Tell(ctx, "cache-go").TellBody(*body).Execute()
			return response, err
		})
	}

	var recommended openapi.RecommendAnswer
	again(func() (response *http.Response, err error) {
		recommended, response, err = client.PlaysApi.Recommend(ctx, "cache-go").Execute()
		return
	})
	fmt.Println(recommended.GetValues())
}
